import type { Json } from '../json/json.ts'
import { createRandom, hash, type Random } from '../time/random.ts'

/**
 * Creates the random numbers of a collection: each value has numbers of its own, which depend on the seed, the
 * collection, the number of the record and the path of the field alone, so that a further field, record or
 * collection changes no value.
 */
export function createDraws(seed: number | string, collection: string): Draws {
  const start = hash(`${seed}\n${collection}\n`)
  const seedOf = (record: number, path: string): number => hash(`${record}\n${path}`, 1, start)
  return Object.assign((record: number, path: string) => createRandom(seedOf(record, path)), {
    seed: seedOf,
  })
}

/** Returns the random numbers of a value, or their seed. */
export interface Draws {
  (record: number, path: string): Random
  seed(record: number, path: string): number
}

/** Draws an integer from `min` to `max`, both included. */
export function drawInteger(random: Random, min: number, max: number): number {
  return min + Math.floor(random() * (max - min + 1))
}

/** Draws an element; undefined from an empty list. */
export function pick<T>(random: Random, list: readonly T[]): T | undefined {
  return list[Math.floor(random() * list.length)]
}

/**
 * Maps a key to one of `count` buckets (jump consistent hash, arXiv:1406.2294): a further bucket takes a few keys from
 * the others, and the remaining keys keep theirs.
 */
export function bucketOf(key: string, count: number): number {
  const random = createRandom(hash(key))
  let bucket = 0
  for (let next = 0; next < count; next = Math.floor((bucket + 1) / (1 - random()))) bucket = next
  return bucket
}

/** A text or a number as text; empty for any other value. */
export function textOf(value: Json | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
