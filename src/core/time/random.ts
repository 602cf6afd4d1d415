/** A repeatable source of numbers in [0, 1). */
export type Random = () => number

/** Creates a source that gives the same numbers for the same seed (mulberry32). */
export function createRandom(seed: number | string): Random {
  let state = typeof seed === 'number' ? seed >>> 0 : hash(seed)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** A source of numbers that can go back to its start. */
export interface Chance {
  next: Random
  reset(): void
}

/** Creates a source for that seed, or for one of its own where there is none. */
export function createChance(seed: number | string = Math.random() * 2 ** 32): Chance {
  let random = createRandom(seed)
  return {
    next: () => random(),
    reset() {
      random = createRandom(seed)
    },
  }
}

/** A short random text of digits and small letters. */
export function randomText(random: Random, length = 10): string {
  let text = ''
  while (text.length < length) text += Math.floor(random() * 36).toString(36)
  return text
}

/** A random UUID of version 4 (RFC 9562 §5.4). */
export function randomUuid(random: Random): string {
  return 'xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx'.replace(/[xy]/g, (place) => {
    const digit = Math.floor(random() * 16)
    return (place === 'x' ? digit : (digit & 3) | 8).toString(16)
  })
}

/** A 32-bit hash of a text (FNV-1a). */
export function hash(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at++) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  }
  return value >>> 0
}
