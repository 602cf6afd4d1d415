/** Bytes as a text of as many signs; some at a time, as a call takes no more. */
export function toSigns(bytes: Uint8Array): string {
  let signs = ''
  for (let at = 0; at < bytes.length; at += 32_768) {
    signs += String.fromCharCode(...bytes.subarray(at, at + 32_768))
  }
  return signs
}

/** The text that such signs are as UTF-8; undefined where they are none. */
export function fromSigns(signs: string): string | undefined {
  const escaped = signs.replaceAll(/[%\x80-\xFF]/g, (one) => `%${one.charCodeAt(0).toString(16)}`)
  try {
    return decodeURIComponent(escaped)
  } catch {
    return undefined
  }
}
