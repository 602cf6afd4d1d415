import type { JsonRecord } from '../../json/json.ts'
import type { Path } from '../../json/path.ts'
import type { Before, Index, IndexedRecords } from './indexed.ts'
import { type Bits, createBits } from '../../structures/bits.ts'
import { type SlotSet, unite } from '../../structures/slot-set.ts'
import { buildLive } from './live.ts'
import { buildOrder, type OrderKey } from './order.ts'
import { buildPostings } from './postings.ts'
import { removeByTexts } from './texts.ts'

/**
 * The indexes of a collection, which find records without a scan. An index is built by the second query that
 * can use it (with `eager` by the first), and updated by the first query after writes: a write only records
 * the changed slot (the index of the record in the collection).
 */
export interface Indexes {
  /** The slots of the records with a value at the path that has any of these keys. */
  equal(path: Path, keys: readonly string[], eager?: boolean): SlotSet | undefined
  /** Every slot in the order of the values of the fields, with missing values last. */
  order(keys: readonly OrderKey[], eager?: boolean): Uint32Array | undefined
  /** The slots of all records. */
  live(): Bits
  /** Removes slots whose records cannot contain all fragments, which are in lower case. */
  removeByTexts(found: Bits, fragments: readonly string[]): void
  /** Records a write to a slot, with the record before the write. */
  noteWrite(slot: number, before: JsonRecord | undefined): void
}

/** The most indexes of a collection: a further index replaces the index that was used least recently. */
const maxIndexes = 64
/** The most names of indexes that are remembered for the second query; then all names are forgotten. */
const maxRequested = 1000

/** Creates the indexes of a collection; each index is built later. */
export function createIndexes(records: IndexedRecords): Indexes {
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

  return {
    equal(path, keys, eager = false) {
      const postings = entriesOf(`=${path.join('\0')}`, eager, () => buildPostings(records, path))
      return postings && unite(keys.flatMap((key) => postings.get(key) ?? []))
    },
    order(keys, eager = false) {
      const name = keys.map((key) => `${key.descending ? '>' : '<'}${key.path.join('\0')}`)
      return entriesOf(name.join('\0'), eager, () => buildOrder(records, keys))
    },
    live: () => entriesOf('live', true, () => buildLive(records)) ?? createBits(0),
    removeByTexts: (found, fragments) => removeByTexts(found, fragments, records.chunks()),
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
