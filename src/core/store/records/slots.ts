import { lowerBound } from '../../structures/lower-bound.ts'

/**
 * The records of a collection as a list in insertion order. Each value has a slot, the number by which indexes refer
 * to the value; a removal leaves the slot empty until `compact` renumbers all slots. Each value also has an ordinal,
 * which never changes and is never reused. The list consists of chunks of 512 slots; a list and its fork share a
 * chunk until one of them changes the chunk.
 */
export interface Slots<T> {
  /** One more than the highest slot in use, empty slots included. */
  readonly length: number
  at(slot: number): T | undefined
  /** Appends a value and returns its slot. */
  push(value: T): number
  set(slot: number, value: T | undefined): void
  /** Calls back for every slot with a value, in order. */
  each(callback: (value: T, slot: number) => void): void
  /** The ordinal of the value in a slot: how many values were appended before it. */
  ordinalOf(slot: number): number
  /** Removes the empty slots: moves the values to lower slots, in the same order. */
  compact(): void
  /** Creates a list with the same content. A write to either list copies only the chunk of the slot. */
  fork(): Slots<T>
}

/** A part of a list: the values of 512 slots. */
interface Chunk<T> {
  owner: object
  items: (T | undefined)[]
}

/** The ordinals after a compaction: from slot `starts[n]` on, the ordinal is the slot plus `offsets[n]`. */
interface Runs {
  readonly starts: number[]
  readonly offsets: number[]
}

/** The number of bits of a slot that are its offset in a chunk; the others are the index of the chunk. */
const chunkBits = 9
const offsetMask = (1 << chunkBits) - 1

/** Creates an empty list. */
export function createSlots<T>(): Slots<T> {
  return openSlots<T>([], 0, { starts: [], offsets: [] })
}

function openSlots<T>(shared: Chunk<T>[], start: number, given: Runs): Slots<T> {
  let chunks = shared
  let ownsChunks = false
  let owner = {}
  let length = start
  let runs = given

  /** The chunk at an index of `chunks`, copied first if another list shares the chunk. */
  function ownChunk(at: number): Chunk<T> {
    if (!ownsChunks) {
      chunks = chunks.slice()
      ownsChunks = true
    }
    const chunk = chunks[at]
    if (chunk?.owner === owner) return chunk
    const copy = { owner, items: chunk ? chunk.items.slice() : [] }
    chunks[at] = copy
    return copy
  }

  function push(value: T): number {
    ownChunk(length >> chunkBits).items.push(value)
    return length++
  }

  function each(callback: (value: T, slot: number) => void): void {
    for (let at = 0; at < chunks.length; at++) {
      const items = chunks[at]?.items ?? []
      for (let offset = 0; offset < items.length; offset++) {
        const value = items[offset]
        if (value !== undefined) callback(value, (at << chunkBits) | offset)
      }
    }
  }

  function ordinalOf(slot: number): number {
    return slot + (runs.offsets[lowerBound(runs.starts, slot + 1) - 1] ?? 0)
  }

  return {
    get length() {
      return length
    },
    at: (slot) => chunks[slot >> chunkBits]?.items[slot & offsetMask],
    push,
    set(slot, value) {
      ownChunk(slot >> chunkBits).items[slot & offsetMask] = value
    },
    each,
    ordinalOf,
    compact() {
      const values: T[] = []
      const starts: number[] = []
      const offsets: number[] = []
      const addRun = (slot: number): void => {
        const offset = ordinalOf(slot) - values.length
        if (offset === (offsets.at(-1) ?? 0)) return
        starts.push(values.length)
        offsets.push(offset)
      }
      each((value, slot) => {
        addRun(slot)
        values.push(value)
      })
      // The next value gets an ordinal above those of the removed values.
      addRun(length)
      runs = { starts, offsets }
      chunks = []
      ownsChunks = true
      length = 0
      for (const value of values) push(value)
    },
    fork() {
      owner = {}
      ownsChunks = false
      return openSlots(chunks, length, runs)
    },
  }
}
