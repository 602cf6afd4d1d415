import { decodeUtf8 } from './binary-string.ts'

/** Encodes a string as UTF-8 and base64url without padding (RFC 4648 §5). @throws URIError for a lone surrogate */
export function toBase64Url(text: string): string {
  const utf8 = encodeURIComponent(text).replaceAll(/%(..)/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return btoa(utf8).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Decodes base64 or base64url, padded or not, to a string; returns undefined for invalid input or UTF-8. */
export function fromBase64(encoded: string): string | undefined {
  const unpadded = encoded.replace(/(?<!=)=+$/, '')
  try {
    return decodeUtf8(atob(unpadded.replaceAll('-', '+').replaceAll('_', '/')))
  } catch {
    return undefined
  }
}

/** Decodes base64 to bytes. The text has to be valid base64 (RFC 4648 §4). */
export function toBytes(encoded: string): Uint8Array {
  return Uint8Array.from(atob(encoded), (one) => one.charCodeAt(0))
}

// Every supported runtime has the global functions `btoa` and `atob`. The core declares them here,
// as it compiles without the TypeScript libraries that declare them.
declare function btoa(binary: string): string
declare function atob(base64: string): string
