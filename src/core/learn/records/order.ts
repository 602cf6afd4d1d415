import { compareTexts } from '../parse/parsed-exchange.ts'
import type { ListNote } from './observation.ts'

/**
 * Sorts the ids of a collection by their positions in the latest unfiltered and unsorted list that contains them; ids
 * without a position fill the gaps, in ascending order. A list without a known offset follows the lists before it.
 */
export function toOrder(ids: Iterable<string>, lists: readonly ListNote[]): string[] {
  const positions = new Map<string, number>()
  const plain = lists.filter(({ isPlain, parent }) => isPlain && !parent)
  let end = 0
  for (const { ids: listed, offset = end } of plain) {
    listed.forEach((id, at) => positions.set(id, offset + at))
    end = Math.max(end, offset + listed.length)
  }
  const all = [...ids].toSorted(compareIds)
  const others = all.filter((id) => !positions.has(id))
  const order: string[] = []
  for (const id of all.filter((listed) => positions.has(listed)).toSorted(byPosition)) {
    // `others` are the records of pages that were not requested.
    const gap = Math.max(0, (positions.get(id) ?? 0) - order.length)
    order.push(...others.splice(0, gap), id)
  }
  return [...order, ...others]

  function byPosition(a: string, b: string): number {
    return (positions.get(a) ?? 0) - (positions.get(b) ?? 0)
  }
}

/** Compares ids: numbers come first, by value; other ids follow, by code unit. */
function compareIds(left: string, right: string): number {
  const isNumber = /^\d+$/.test(left)
  if (isNumber !== /^\d+$/.test(right)) return isNumber ? -1 : 1
  return (isNumber && Number(left) - Number(right)) || compareTexts(left, right)
}
