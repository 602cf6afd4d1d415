import { fromSigns } from './binary-string.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Writes a text as base64url without padding (RFC 4648 §5), its characters as UTF-8. */
export function toBase64Url(text: string): string {
  let encoded = ''
  let bits = 0
  let held = 0
  for (const byte of toBytes(text)) {
    held = (held << 8) | byte
    bits += 8
    while (bits >= 6) {
      bits -= 6
      encoded += alphabet.charAt((held >> bits) & 63)
    }
    held &= (1 << bits) - 1
  }
  return bits > 0 ? encoded + alphabet.charAt((held << (6 - bits)) & 63) : encoded
}

/** Reads a text from base64 or base64url; undefined where it is neither, or not UTF-8. */
export function fromBase64(encoded: string): string | undefined {
  let signs = ''
  let bits = 0
  let held = 0
  for (const sign of encoded
    .replace(/(?<!=)=+$/, '')
    .replaceAll('+', '-')
    .replaceAll('/', '_')) {
    const value = alphabet.indexOf(sign)
    if (value < 0) return undefined
    held = (held << 6) | value
    bits += 6
    if (bits < 8) continue
    bits -= 8
    signs += String.fromCharCode((held >> bits) & 255)
    held &= (1 << bits) - 1
  }
  return fromSigns(signs)
}

/** The UTF-8 bytes of a text, which must not hold half a surrogate pair. */
function toBytes(text: string): number[] {
  const escaped = encodeURIComponent(text)
  const bytes: number[] = []
  for (let at = 0; at < escaped.length; at++) {
    if (escaped[at] !== '%') bytes.push(escaped.charCodeAt(at))
    else {
      bytes.push(Number.parseInt(escaped.slice(at + 1, at + 3), 16))
      at += 2
    }
  }
  return bytes
}
