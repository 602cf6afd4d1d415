/** Converts bytes to a binary string for `btoa`: a character (U+0000 to U+00FF) for each byte. */
export function toBinaryString(bytes: Uint8Array): string {
  let binary = ''
  // A function call takes a limited number of arguments.
  for (let at = 0; at < bytes.length; at += 32_768) {
    binary += String.fromCharCode(...bytes.subarray(at, at + 32_768))
  }
  return binary
}

/** Decodes a binary string as UTF-8; returns undefined if the bytes are not valid UTF-8. */
export function decodeUtf8(binary: string): string | undefined {
  const escaped = binary.replaceAll(/[%\x80-\xFF]/g, (one) => `%${one.charCodeAt(0).toString(16)}`)
  try {
    return decodeURIComponent(escaped)
  } catch {
    return undefined
  }
}
