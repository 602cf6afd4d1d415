import { hash } from '../../time/random.ts'

/**
 * A sample of the distinct values at one place of the data, with the exact number of times that each value
 * occurs. Holds every value while there are at most {@link sampleSize}; of more values, holds those with the
 * smallest hashes (a k-minimum-values sketch). Therefore the order of the values does not change which values are
 * held.
 */
export interface Sketch<T> {
  readonly entries: Map<T, Entry<T>>
  /** Once values were left out, the entries as a heap, the greatest at the top; empty before. */
  heap: Entry<T>[]
  /** The greatest hash that a held value can have: all hashes, until values were left out. */
  limit: number
  readonly hashOf: (value: T) => number
}

interface Entry<T> {
  readonly value: T
  count: number
  /** 0 until values were left out, as fields with few values need no hashes. */
  hash: number
}

/** The most values that a sketch holds. The number of distinct values is then known to about 6 %. */
export const sampleSize = 256

/** A number above every hash, which has 32 bits. */
export const allHashes: number = 2 ** 32

/** Creates an empty sketch. */
export function createSketch<T extends string | number>(hashOf: (value: T) => number): Sketch<T> {
  return { entries: new Map(), heap: [], limit: allHashes, hashOf }
}

/** Adds a value that occurs once, or so many times. */
export function addValue<T extends string | number>(
  sketch: Sketch<T>,
  value: T,
  count: number = 1,
): void {
  const { entries, limit } = sketch
  let hash = 0
  if (limit < allHashes) {
    hash = sketch.hashOf(value)
    if (hash > limit) return
  }
  const entry = entries.get(value)
  if (entry !== undefined) {
    entry.count += count
    return
  }
  const added = { value, count, hash }
  entries.set(value, added)
  if (limit < allHashes) push(sketch.heap, added)
  if (entries.size > sampleSize) removeGreatest(sketch)
}

/** Adds all values of another sketch. The result is the sketch of the values of both. */
export function mergeSketch<T extends string | number>(into: Sketch<T>, from: Sketch<T>): void {
  for (const { value, count } of from.entries.values()) addValue(into, value, count)
  if (from.limit >= into.limit) return
  // Above its limit, the other sketch has left values out.
  makeHeap(into)
  for (const { value, hash } of into.entries.values()) {
    if (hash > from.limit) into.entries.delete(value)
  }
  into.heap = []
  into.limit = from.limit
  for (const entry of into.entries.values()) push(into.heap, entry)
}

/** Estimates the number of distinct values; exact if no value was left out. */
export function countDistinct<T>({ entries, limit }: Sketch<T>): number {
  if (limit === allHashes) return entries.size
  return Math.max(entries.size + 1, Math.round(((entries.size - 1) / (limit + 1)) * allHashes))
}

function removeGreatest<T extends string | number>(sketch: Sketch<T>): void {
  makeHeap(sketch)
  const greatest = pop(sketch.heap)
  if (greatest) sketch.entries.delete(greatest.value)
  sketch.limit = sketch.heap[0]?.hash ?? 0
}

function makeHeap<T extends string | number>({ entries, heap, limit, hashOf }: Sketch<T>): void {
  if (limit < allHashes) return
  for (const entry of entries.values()) {
    entry.hash = hashOf(entry.value)
    push(heap, entry)
  }
}

/** Whether an entry is removed before another: by its hash, and of equal hashes by its value. */
function isGreater<T>(entry: Entry<T>, other: Entry<T>): boolean {
  return entry.hash > other.hash || (entry.hash === other.hash && entry.value > other.value)
}

function push<T>(heap: Entry<T>[], entry: Entry<T>): void {
  let index = heap.push(entry) - 1
  while (index > 0) {
    const above = (index - 1) >> 1
    const parent = heap[above]
    if (parent === undefined || !isGreater(entry, parent)) break
    heap[index] = parent
    index = above
  }
  heap[index] = entry
}

function pop<T>(heap: Entry<T>[]): Entry<T> | undefined {
  const top = heap[0]
  const last = heap.pop()
  if (last === undefined || heap.length === 0) return top
  let index = 0
  for (;;) {
    const left = 2 * index + 1
    let child = heap[left]
    let below = left
    if (child === undefined) break
    const right = heap[left + 1]
    if (right !== undefined && isGreater(right, child)) {
      child = right
      below = left + 1
    }
    if (!isGreater(child, last)) break
    heap[index] = child
    index = below
  }
  heap[index] = last
  return top
}

/** Hashes a text to 32 bits (FNV-1a); of a long text, only characters at equal distances count. */
export function hashText(text: string): number {
  const { length } = text
  const step = length > hashedLength ? Math.ceil(length / hashedLength) : 1
  return mix(hash(text, step, 0x811c9dc5 ^ length))
}

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
  let mixed = value
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
