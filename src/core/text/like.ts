/** Whether a text matches a pattern: `%` matches any text, `_` matches one character. */
export function isLike(text: string, pattern: string): boolean {
  let at = 0
  let patternAt = 0
  // The last `%`, and the end of the text that it matches so far.
  let wildcard = -1
  let retry = 0
  while (at < text.length) {
    const character = pattern[patternAt]
    if (character === '%') {
      wildcard = patternAt++
      retry = at
    } else if (character === '_' || character === text[at]) {
      patternAt++
      // A character outside the Basic Multilingual Plane has two code units.
      at += character === '_' && (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
    } else if (wildcard >= 0) {
      patternAt = wildcard + 1
      at = ++retry
    } else return false
  }
  while (pattern[patternAt] === '%') patternAt++
  return patternAt === pattern.length
}
