/**
 * Returns the strong entity tag (`ETag`, RFC 9110 §8.8.3) of the text of a response: 62 bits of a
 * non-cryptographic hash, which is equal on every runtime.
 */
export function entityTag(text: string): string {
  let high = 0xdeadbeef ^ text.length
  let low = 0x41c6ce57
  let at = 0
  // The loop is unrolled to four characters, two for each half: every response is hashed, and most are long.
  for (const end = text.length - 3; at < end; at += 4) {
    high = Math.imul(high ^ (text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16)), 2654435761)
    low = Math.imul(low ^ (text.charCodeAt(at + 2) | (text.charCodeAt(at + 3) << 16)), 1597334677)
    high ^= high >>> 15
    low ^= low >>> 15
  }
  for (; at < text.length; at++) {
    high = Math.imul(high ^ text.charCodeAt(at), 2654435761)
    low = Math.imul(low ^ high, 1597334677)
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  // Engines write small decimal integers faster than any other digits.
  return `"${high & 0x7fffffff}-${low & 0x7fffffff}"`
}
