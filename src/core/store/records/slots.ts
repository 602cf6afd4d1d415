/** Records in the order they came, each in a slot of its own that is never given to another. */
export interface Slots<T> {
  /** One more than the last slot ever used. */
  readonly length: number
  get(slot: number): T | undefined
  /** Appends, and gives the slot. */
  push(value: T): number
  set(slot: number, value: T | undefined): void
  /** Calls back for every slot that holds something, in order. */
  each(callback: (value: T, slot: number) => void): void
  /** A second sequence with the same content; a write to either copies only the chunk it touches. */
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

  /** The chunk at that place, copied first where another sequence holds it too. */
  function own(at: number): Chunk<T> {
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
      own(length >> bits).items.push(value)
      return length++
    },
    set(slot, value) {
      own(slot >> bits).items[slot & mask] = value
    },
    each(callback) {
      for (let at = 0; at < chunks.length; at++) {
        const items = chunks[at]?.items ?? []
        for (let place = 0; place < items.length; place++) {
          const value = items[place]
          if (value !== undefined) callback(value, (at << bits) | place)
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
