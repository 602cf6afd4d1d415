/**
 * Hashes a text to 32 bits (FNV-1a), because `sketch.ts` samples values by their hashes. Of a long text, only
 * characters at equal distances count.
 */
export function hashText(text: string): number {
  const { length } = text
  const step = length > hashedLength ? Math.ceil(length / hashedLength) : 1
  let hash = 0x811c9dc5 ^ length
  for (let at = 0; at < length; at += step) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  return mix(hash)
}

/** The most characters of a text that its hash depends on. */
const hashedLength = 128

/** Hashes a number to 32 bits. */
export function hashNumber(value: number): number {
  if ((value | 0) === value) return mix(value)
  floats[0] = value
  return mix(Math.imul(words[0] ?? 0, 0x9e3779b1) ^ (words[1] ?? 0))
}

const floats = new Float64Array(1)
const words = new Uint32Array(floats.buffer)

/** Spreads the bits of a hash evenly (the last step of MurmurHash3). */
function mix(value: number): number {
  let hash = value
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
