/**
 * A list of values in insertion order. Each value has a slot, its number in that order, which is not reused
 * after a removal. Forks share the chunks of 512 slots that neither list has changed since.
 */
export interface Slots<T> {
  /** One more than the highest slot ever used. */
  readonly length: number
  get(slot: number): T | undefined
  /** Appends a value and returns its slot. */
  push(value: T): number
  set(slot: number, value: T | undefined): void
  /** Calls back for every slot with a value, in order. */
  each(callback: (value: T, slot: number) => void): void
  /** Creates a sequence with the same content. A write to either sequence copies only the chunk of the slot. */
  fork(): Slots<T>
}

interface Chunk<T> {
  owner: object
  items: (T | undefined)[]
}

const bits = 9
const mask = (1 << bits) - 1

/** Creates an empty sequence. */
export function createSlots<T>(): Slots<T> {
  return open<T>([], 0)
}

function open<T>(shared: Chunk<T>[], start: number): Slots<T> {
  let chunks = shared
  let ownsChunks = false
  let owner = {}
  let length = start

  /** The chunk at an index of `chunks`, copied first if another sequence shares the chunk. */
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

  return {
    get length() {
      return length
    },
    get: (slot) => chunks[slot >> bits]?.items[slot & mask],
    push(value) {
      ownChunk(length >> bits).items.push(value)
      return length++
    },
    set(slot, value) {
      ownChunk(slot >> bits).items[slot & mask] = value
    },
    each(callback) {
      for (let at = 0; at < chunks.length; at++) {
        const items = chunks[at]?.items ?? []
        for (let offset = 0; offset < items.length; offset++) {
          const value = items[offset]
          if (value !== undefined) callback(value, (at << bits) | offset)
        }
      }
    },
    fork() {
      owner = {}
      ownsChunks = false
      return open(chunks, length)
    },
  }
}
