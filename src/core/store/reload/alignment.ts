import type { JsonRecord } from '../../json/json.ts'
import { idOf } from '../records/ids.ts'

/**
 * Returns how many records at the start of several lists are aligned: the same ids are at the same positions. A
 * reload merges these records without looking up their ids.
 */
export function countAligned(lists: readonly (readonly JsonRecord[])[], field: string): number {
  const [first = [], ...others] = lists
  const isAligned = (record: JsonRecord, at: number): boolean =>
    others.every((list) => {
      const other = list[at]
      return other === record || (other && idOf(other, field) === idOf(record, field))
    })
  const end = first.findIndex((record, at) => !isAligned(record, at))
  return end < 0 ? first.length : end
}

/**
 * Whether two lists have the same objects, compared by identity, in the same order. A reload uses this as a
 * cheap test that no record has changed.
 */
export function isSameList(one: readonly object[], other: readonly object[]): boolean {
  if (one === other) return true
  return one.length === other.length && one.every((item, at) => item === other[at])
}
