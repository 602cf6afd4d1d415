/** A seeded source of random choices: the same seed makes the same choices. */
export interface Random {
  /** At least 0, less than 1. */
  next: () => number
  /** A whole number from `min` to `max`, both included. */
  int: (min: number, max: number) => number
  pick: <T>(items: readonly [T, ...T[]] | readonly T[]) => T
  chance: (probability: number) => boolean
  /** One of the values, each as often as its weight says. */
  weighted: <T>(rows: readonly (readonly [weight: number, value: T])[]) => T
  shuffle: <T>(items: readonly T[]) => T[]
}

/** Creates a source of random choices from a seed (mulberry32 over a hash of the seed's text). */
export function createRandom(seed: number | string): Random {
  let state = hash(String(seed))
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  const int = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1))
  const pick = <T>(items: readonly T[]): T => {
    if (items.length === 0) throw new Error('Failed to pick from nothing.')
    return items[int(0, items.length - 1)] as T
  }
  return {
    next,
    int,
    pick,
    chance: (probability) => next() < probability,
    weighted: (rows) => {
      let rest = next() * rows.reduce((sum, [weight]) => sum + weight, 0)
      const row = rows.find(([weight]) => (rest -= weight) < 0) ?? rows.at(-1)
      if (!row) throw new Error('Failed to pick from nothing.')
      return row[1]
    },
    shuffle: (items) => {
      const copy = [...items]
      for (let i = copy.length - 1; i > 0; i--) {
        const j = int(0, i)
        ;[copy[i], copy[j]] = [copy[j] as (typeof copy)[0], copy[i] as (typeof copy)[0]]
      }
      return copy
    },
  }
}

function hash(text: string): number {
  let value = 2_166_136_261
  for (const char of text) value = Math.imul(value ^ (char.codePointAt(0) ?? 0), 16_777_619)
  return value
}
