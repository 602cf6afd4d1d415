import { compareValues } from '../json/compare.ts'
import type { JsonRecord } from '../json/json.ts'
import { valueAt } from '../json/path.ts'
import type { SortKey } from './tree.ts'

/** The records in order; those that are equal keep theirs. */
export function sortRecords(
  records: readonly JsonRecord[],
  sort: readonly SortKey[],
): JsonRecord[] {
  return sortBy(records, sort, valueAt, compareValues)
}

/** Records in the order of their values at some paths, of which the first that differs decides. */
export function sortBy<Item, Path>(
  records: readonly Item[],
  keys: readonly { path: Path; descending: boolean }[],
  read: (record: Item, path: Path) => unknown,
  compare: (left: unknown, right: unknown, descending: boolean) => number,
): Item[] {
  const rows = records.map((record) => ({
    record,
    values: keys.map(({ path }) => read(record, path)),
  }))
  rows.sort((left, right) => {
    for (const [at, { descending }] of keys.entries()) {
      const sign = compare(left.values[at], right.values[at], descending)
      if (sign !== 0) return sign
    }
    return 0
  })
  return rows.map(({ record }) => record)
}
