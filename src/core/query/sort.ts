import { compareValues } from '../json/compare.ts'
import type { JsonRecord } from '../json/json.ts'
import { valueAt } from '../json/path.ts'
import type { SortKey } from './tree.ts'

/** Returns the records sorted by fields, in order of precedence; equal records keep their order. */
export function sortRecords(
  records: readonly JsonRecord[],
  sort: readonly SortKey[],
): JsonRecord[] {
  const byValue = sort.filter(isByValue)
  const isReversed = sort.some((key) => !isByValue(key) && key.descending)
  return sortBy(isReversed ? records.toReversed() : records, byValue, valueAt, compareValues)
}

/** Whether a key sorts by a value; a key without a path sorts by the position of the records. */
export function isByValue({ path }: SortKey): boolean {
  return path.length > 0
}

/** Sorts items by several keys, in order of precedence; reads the value of each key once. */
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
