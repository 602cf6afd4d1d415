import type { JsonRecord } from '../../json/json.ts'
import type { Path } from '../../json/path.ts'
import type { Before, Index, IndexedRecords } from './indexed.ts'
import { buildColumn, type Column } from './column.ts'
import { buildOrder } from './order.ts'
import { buildPostings, mergeRising } from './postings.ts'

/**
 * What answers a question without looking at every record: the slots that hold a value, and the
 * slots in the order of a field. Each is built when it is asked for the second time, and brought up
 * to date when it is asked for after writes, so that a write costs next to nothing by itself.
 */
export interface Indexes {
  /** The slots, rising, of the records that hold any value of these keys at the path. */
  equal(path: Path, keys: readonly string[], eager?: boolean): readonly number[] | undefined
  /** Every slot in the order of the values at the path, those without one last. */
  order(path: Path, descending: boolean): readonly number[] | undefined
  /** The values of a field by slot. */
  column(field: string): Column | undefined
  /** Takes note of a write: what the slot held before it. */
  note(slot: number, before: JsonRecord | undefined): void
}

/** Creates the indexes of a collection; none is built yet. */
export function createIndexes(records: IndexedRecords): Indexes {
  const built = new Map<string, { index: Index<unknown>; seen: number }>()
  const asked = new Set<string>()
  let writes: { slot: number; before: JsonRecord | undefined }[] = []

  /** What the index of that name keeps, up to date; undefined when it is asked for the first time. */
  function use<Kept>(name: string, eager: boolean, build: () => Index<Kept>): Kept | undefined {
    const found = built.get(name)
    if (found) {
      if (found.seen < writes.length) found.index.update(since(found.seen))
      found.seen = writes.length
      return found.index.kept as Kept
    }
    if (!eager && !asked.has(name)) {
      asked.add(name)
      return undefined
    }
    const index = build()
    built.set(name, { index, seen: writes.length })
    return index.kept
  }

  function since(seen: number): Before {
    const before = new Map<number, JsonRecord | undefined>()
    for (let at = seen; at < writes.length; at++) {
      const write = writes[at]
      if (write && !before.has(write.slot)) before.set(write.slot, write.before)
    }
    return before
  }

  return {
    equal(path, keys, eager = false) {
      const postings = use(`=${path.join('\0')}`, eager, () => buildPostings(records, path))
      return postings && mergeRising(keys.flatMap((key) => [postings.get(key) ?? []]))
    },
    order(path, descending) {
      const name = `${descending ? '>' : '<'}${path.join('\0')}`
      return use(name, false, () => buildOrder(records, path, descending))
    },
    column: (field) => use(`.${field}`, false, () => buildColumn(records, field)),
    note(slot, before) {
      if (built.size === 0) return
      writes.push({ slot, before })
      // The writes hold old records; an index that lags behind half of them is built anew for less.
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
