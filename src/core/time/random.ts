/**
 * A random number generator: each call returns a number of at least 0 and less than 1, as `Math.random` does.
 * With the option `seed`, ids, delays and faults draw the same numbers in every run.
 */
export type Random = () => number

/** Creates a generator that returns the same sequence for the same seed (mulberry32). */
export function createRandom(seed: number | string): Random {
  let state = typeof seed === 'number' ? seed >>> 0 : hash(seed)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** A random number generator that can be reset to its seed. */
export interface Rng {
  next: Random
  reset(): void
}

/** Creates a generator from a seed; without a seed, from a random seed. */
export function createRng(seed: number | string = Math.random() * 2 ** 32): Rng {
  let random = createRandom(seed)
  return {
    next: () => random(),
    reset() {
      random = createRandom(seed)
    },
  }
}

/** Draws a random string of digits and lower-case letters. */
export function randomText(random: Random, length = 10): string {
  let text = ''
  while (text.length < length) text += Math.floor(random() * 36).toString(36)
  return text
}

/** Draws a random UUID of version 4 (RFC 9562 §5.4). */
export function randomUuid(random: Random): string {
  return 'xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx'.replace(/[xy]/g, (mark) => {
    const digit = Math.floor(random() * 16)
    return (mark === 'x' ? digit : (digit & 3) | 8).toString(16)
  })
}

/** Returns the 32-bit FNV-1a hash of a string, or of every `step`th character. */
export function hash(text: string, step = 1, seed = 0x811c9dc5): number {
  let value = seed
  for (let at = 0; at < text.length; at += step) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  }
  return value >>> 0
}
