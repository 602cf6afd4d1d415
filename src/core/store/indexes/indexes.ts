import type { JsonRecord } from '../../json/json.ts'
import type { Path } from '../../json/path.ts'
import type { Before, Index, IndexedRecords } from './indexed.ts'
import { buildColumn, type Column } from './column.ts'
import { buildOrder } from './order.ts'
import { buildPostings, mergeAscending } from './postings.ts'

/**
 * The indexes of a collection, which find records without a scan. An index is built by the second query that
 * can use it (with `eager` by the first), and updated by the first query after writes: a write only records
 * the changed slot (the index of the record in the collection).
 */
export interface Indexes {
  /** The slots, ascending, of the records with a value at the path that has any of these keys. */
  equal(path: Path, keys: readonly string[], eager?: boolean): readonly number[] | undefined
  /** Every slot in the order of the values at the path, with missing values last. */
  order(path: Path, descending: boolean): readonly number[] | undefined
  /** The values of a field by slot. */
  column(field: string): Column | undefined
  /** Records a write to a slot, with the record before the write. */
  noteWrite(slot: number, before: JsonRecord | undefined): void
}

/** Creates the indexes of a collection, none of which is built yet. */
export function createIndexes(records: IndexedRecords): Indexes {
  /** `seen` is the number of writes that the index has applied. */
  const built = new Map<string, { index: Index<unknown>; seen: number }>()
  const requested = new Set<string>()
  let writes: { slot: number; before: JsonRecord | undefined }[] = []

  /** The updated entries of an index; undefined for its first query, unless the index is built eagerly. */
  function entriesOf<Entries>(
    name: string,
    eager: boolean,
    build: () => Index<Entries>,
  ): Entries | undefined {
    const found = built.get(name)
    if (found) {
      if (found.seen < writes.length) found.index.update(writesSince(found.seen))
      found.seen = writes.length
      return found.index.entries as Entries
    }
    if (!eager && !requested.has(name)) {
      requested.add(name)
      return undefined
    }
    const index = build()
    built.set(name, { index, seen: writes.length })
    return index.entries
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
      return postings && mergeAscending(keys.flatMap((key) => [postings.get(key) ?? []]))
    },
    order(path, descending) {
      const name = `${descending ? '>' : '<'}${path.join('\0')}`
      return entriesOf(name, false, () => buildOrder(records, path, descending))
    },
    column: (field) => entriesOf(`.${field}`, false, () => buildColumn(records, field)),
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
