import type { JsonRecord } from '../../json/json.ts'
import { idOf } from '../records/ids.ts'

/**
 * Whether two lists have the same objects, compared by identity, in the same order. A reload uses this as a
 * cheap test that no record has changed.
 */
export function isSameList(one: readonly object[], other: readonly object[]): boolean {
  if (one === other) return true
  return one.length === other.length && one.every((item, at) => item === other[at])
}

/** How many records at the start of these lists have the same ids at the same positions. */
export function countAligned(lists: readonly (readonly JsonRecord[])[], field: string): number {
  const [first = []] = lists
  const others = lists.slice(1)
  let at = 0
  for (; at < first.length; at++) {
    const record = first[at]
    if (!record || !others.every((list) => hasSameId(list[at], record, field))) break
  }
  return at
}

/** Whether two records are identical or have the same id. */
export function hasSameId(
  one: JsonRecord | undefined,
  other: JsonRecord | undefined,
  field: string,
): boolean {
  if (one === other) return true
  const id = one && idOf(one, field)
  return id !== undefined && other !== undefined && idOf(other, field) === id
}
