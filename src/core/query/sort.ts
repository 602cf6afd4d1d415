import { compareValues } from '../compare.ts'
import type { JsonRecord } from '../json.ts'
import { valueAt } from '../path.ts'
import type { SortKey } from './tree.ts'

/** The records in order; those that are equal keep theirs. */
export function sortRecords(
  records: readonly JsonRecord[],
  sort: readonly SortKey[],
): JsonRecord[] {
  const rows = records.map((record) => ({
    record,
    values: sort.map(({ path }) => valueAt(record, path)),
  }))
  rows.sort((left, right) => {
    for (let at = 0; at < sort.length; at++) {
      const sign = compareValues(left.values[at], right.values[at], sort[at]?.descending ?? false)
      if (sign !== 0) return sign
    }
    return 0
  })
  return rows.map(({ record }) => record)
}
