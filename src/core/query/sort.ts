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
      whole ??= sortBy(given, byValue, valueAt, compareValues)
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
      kept.length >= count && compareValues(valueAt(record, key.path), last, key.descending) > 0
    if (isBehind || kept.push(record) < count * 2 + 64) continue
    kept = sortBy(kept, sort, valueAt, compareValues).slice(0, count)
    last = valueAt(kept.at(-1) ?? {}, key.path)
  }
  return sortBy(kept, sort, valueAt, compareValues).slice(0, count)
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
