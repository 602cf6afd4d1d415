import type { JsonRecord } from '../../json/json.ts'
import type { Indexes } from '../../structures/indexes.ts'
import { type Bits, createBits, setBit, unite } from '../../structures/slot-set.ts'
import { createVersionedCache } from '../../structures/versioned-cache.ts'
import type { Before, Index, IndexedRecords } from './indexed.ts'
import { buildOrder } from './order.ts'
import { buildPostings } from './postings.ts'
import { removeByTexts } from './texts.ts'

/** The indexes of a collection, which records every write: the next query updates the indexes it uses. */
export interface CollectionIndexes extends Indexes {
  /** Records a write to a slot, with the record before the write. */
  noteWrite(slot: number, before: JsonRecord | undefined): void
}

/** The most indexes of a collection: a further index replaces the index that was used least recently. */
const maxIndexes = 64
/** The most names of indexes that are remembered for the second query; then all names are forgotten. */
const maxRequested = 1000

/** Creates the indexes of a collection; each index is built later. */
export function createIndexes(records: IndexedRecords): CollectionIndexes {
  /** `seen` is the number of writes that the index has applied. */
  const built = new Map<string, { index: Index<unknown>; seen: number }>()
  /** The names of indexes that a query could have used. */
  const requested = new Set<string>()
  let writes: { slot: number; before: JsonRecord | undefined }[] = []

  /** The updated entries of an index; undefined for its first query, unless the index is built eagerly. */
  function entriesOf<Entries>(
    name: string,
    eager: boolean,
    build: () => Index<Entries>,
  ): Entries | undefined {
    const found = built.get(name)
    if (!found && !eager && !requested.has(name)) {
      if (requested.size === maxRequested) requested.clear()
      requested.add(name)
      return undefined
    }
    const { index, seen } = found ?? { index: build(), seen: writes.length }
    if (seen < writes.length) index.update(writesSince(seen))
    built.delete(name)
    built.set(name, { index, seen: writes.length })
    const [oldest = ''] = built.keys()
    if (built.size > maxIndexes) built.delete(oldest)
    return index.entries as Entries
  }

  function writesSince(seen: number): Before {
    const before = new Map<number, JsonRecord | undefined>()
    for (let at = seen; at < writes.length; at++) {
      const write = writes[at]
      if (write && !before.has(write.slot)) before.set(write.slot, write.before)
    }
    return before
  }

  const results = createVersionedCache(() => records.version)
  return {
    get length() {
      return records.length
    },
    at: records.at,
    results,
    live: () => results.get('live', () => liveSlots(records)),
    equal(path, keys, eager = false) {
      const postings = entriesOf(`=${path.join('\0')}`, eager, () => buildPostings(records, path))
      return postings && unite(keys.flatMap((key) => postings.get(key) ?? []))
    },
    order(keys, eager = false) {
      const name = keys.map((key) => `${key.descending ? '>' : '<'}${key.path.join('\0')}`)
      return entriesOf(name.join('\0'), eager, () => buildOrder(records, keys))
    },
    removeByTexts: (slots, fragments) => removeByTexts(slots, fragments, records.chunks()),
    noteWrite(slot, before) {
      if (built.size === 0) return
      writes.push({ slot, before })
      // Past this many writes, rebuilding an index is cheaper than replaying them.
      if (writes.length <= 1024 + records.size / 8) return
      const half = writes.length >> 1
      for (const [name, index] of built) {
        index.seen -= half
        if (index.seen < 0) built.delete(name)
      }
      writes = built.size > 0 ? writes.slice(half) : []
    },
  }
}

/** Returns the slots (indexes in the collection) that hold a record. */
function liveSlots({ size, length, each }: IndexedRecords): Bits {
  const slots = createBits(length)
  if (size < length) each((_record, slot) => setBit(slots, slot))
  else {
    slots.fill(-1)
    // The last word has bits of slots that are not in use.
    if (length % 32 > 0) slots[slots.length - 1] = 2 ** (length % 32) - 1
  }
  return slots
}
