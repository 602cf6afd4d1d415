import { compareValues } from '../json/compare.ts'
import type { JsonRecord } from '../json/json.ts'
import { valueAt } from '../json/path.ts'
import type { SortKey } from './tree.ts'

/**
 * Sorts records by fields, in order of precedence; equal records keep their order. Pages near the begin are found
 * in one pass, without sorting the others.
 */
export function sortPage(
  records: readonly JsonRecord[],
  sort: readonly SortKey[],
): { readonly length: number; slice(start: number, end: number): readonly JsonRecord[] } {
  const byValue = sort.filter(isByValue)
  const isReversed = sort.some((key) => !isByValue(key) && key.descending)
  const given = isReversed ? records.toReversed() : records
  let whole: readonly JsonRecord[] | undefined
  return {
    length: records.length,
    slice(start, end) {
      if (!whole && end < given.length / 8) return firstOf(given, byValue, end).slice(start)
      whole ??= sortBy(given, byValue, sortValue, compareValues)
      return whole.slice(start, end)
    },
  }
}

/** Returns the first records of an order, sorted: of those read, only the first ones are kept. */
function firstOf(
  records: readonly JsonRecord[],
  sort: readonly SortKey[],
  count: number,
): readonly JsonRecord[] {
  const [key] = sort
  if (!key || count <= 0) return records.slice(0, count)
  let kept: JsonRecord[] = []
  let last: unknown
  for (const record of records) {
    // The first field decides about most records.
    const isBehind =
      kept.length >= count && compareValues(sortValue(record, key), last, key.descending) > 0
    if (isBehind || kept.push(record) < count * 2 + 64) continue
    kept = sortBy(kept, sort, sortValue, compareValues).slice(0, count)
    last = sortValue(kept.at(-1) ?? {}, key)
  }
  return sortBy(kept, sort, sortValue, compareValues).slice(0, count)
}

/** Whether a key sorts by a value; a key without a path sorts by the position of the records. */
export function isByValue({ path }: SortKey): boolean {
  return path.length > 0
}

/** Returns the value of a record by which a key sorts. */
export function sortValue(record: JsonRecord, { path, isNumber }: SortKey): unknown {
  const value = valueAt(record, path)
  if (!isNumber || typeof value !== 'string' || value === '') return value
  const number = Number(value)
  return Number.isNaN(number) ? value : number
}

/** Sorts items by several keys, in order of precedence; reads the value of each key once. */
export function sortBy<Item, Key extends { descending: boolean }>(
  records: readonly Item[],
  keys: readonly Key[],
  read: (record: Item, key: Key) => unknown,
  compare: (left: unknown, right: unknown, descending: boolean) => number,
): Item[] {
  const rows = records.map((record) => ({
    record,
    values: keys.map((key) => read(record, key)),
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
