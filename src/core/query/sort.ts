import { compareValues } from '../compare.ts'
import type { JsonRecord } from '../json.ts'
import { valueAt } from '../path.ts'
import type { SortKey } from './tree.ts'

/** The records in order; those that are equal keep theirs. */
export function sortRecords(
  records: readonly JsonRecord[],
  sort: readonly SortKey[],
): JsonRecord[] {
  return sortBy(
    records,
    (record) => sort.map(({ path }) => valueAt(record, path)),
    (left, right, at) => compareValues(left, right, sort[at]?.descending ?? false),
  )
}

/** The records in order by the values of each, of which the first that differs decides. */
export function sortBy<Item>(
  records: readonly Item[],
  valuesOf: (record: Item) => readonly unknown[],
  compare: (left: unknown, right: unknown, at: number) => number,
): Item[] {
  const rows = records.map((record) => ({ record, values: valuesOf(record) }))
  rows.sort((left, right) => {
    for (let at = 0; at < left.values.length; at++) {
      const sign = compare(left.values[at], right.values[at], at)
      if (sign !== 0) return sign
    }
    return 0
  })
  return rows.map(({ record }) => record)
}
