import type { JsonRecord } from '../json.ts'
import { valueAt } from './path.ts'
import type { SortKey } from './tree.ts'

/** The order of kinds: numbers before texts, then booleans, then the rest; what is missing comes last. */
function kind(value: unknown): number {
  if (typeof value === 'number') return 0
  if (typeof value === 'string') return 1
  if (typeof value === 'boolean') return 2
  return value === null || value === undefined ? 4 : 3
}

/** Compares two values in rising order, texts by code unit; what is null or missing is last either way. */
export function compareValues(left: unknown, right: unknown, descending: boolean): number {
  if (left === right) return 0
  const kinds = kind(left) - kind(right)
  if (kind(left) === 4 || kind(right) === 4) return kinds
  const sign = kinds !== 0 ? kinds : compareSame(left as string, right as string)
  return descending ? -sign : sign
}

function compareSame(left: string, right: string): number {
  if (typeof left === 'object') return 0
  return left < right ? -1 : left > right ? 1 : 0
}

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
