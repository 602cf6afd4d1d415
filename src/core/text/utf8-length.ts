/** Returns the length of a string in UTF-8, in bytes, without encoding it; a lone surrogate counts as three bytes. */
export function utf8Length(text: string): number {
  let length = text.length
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x80) continue
    length += code < 0x800 ? 1 : 2
    // A surrogate pair has four bytes.
    if ((text.codePointAt(at) ?? 0) > 0xffff) at++
  }
  return length
}
