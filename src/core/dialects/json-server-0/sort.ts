import type { Json } from '../../json/json.ts'
import { sortBy } from '../../query/sort.ts'
import { isLess } from '../shared/js-values.ts'
import { maxNames } from '../shared/name-limit.ts'
import { readPath } from './path.ts'
import type { Value } from './query-string.ts'

/**
 * Sorts records by the comma-separated fields of `_sort`, at most 100, each ascending unless `_order`
 * has `desc` at the same index. A repeated `_sort` is ignored.
 */
export function sortRecords(
  records: readonly Json[],
  sort: Value,
  order: Value | undefined,
): readonly Json[] {
  if (typeof sort !== 'string') return records
  const orders = typeof order === 'string' ? order.toLowerCase().split(',') : []
  const keys = sort
    .split(',', maxNames)
    .map((path, at) => ({ path, descending: orders[at] === 'desc' }))
  return sortBy(
    records,
    keys,
    readPath,
    (left, right, descending) => (descending ? -1 : 1) * compare(left, right),
  )
}

/** Compares as lodash does: values by JavaScript's rules, then null, then undefined. */
function compare(left: unknown, right: unknown): number {
  const rank = rankOf(left) - rankOf(right)
  if (rank !== 0) return rank
  if (isLess(right, left)) return 1
  return isLess(left, right) ? -1 : 0
}

function rankOf(value: unknown): number {
  if (value === undefined) return 2
  return value === null ? 1 : 0
}
