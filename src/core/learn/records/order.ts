import { compareTexts } from '../reading/reading.ts'
import type { ListNote } from './observation.ts'

/**
 * Sorts the ids of a collection as its lists show them: by their place in the latest plain list that has them,
 * then the others by id. A list whose place in the whole is unknown follows those before it.
 */
export function toOrder(ids: Iterable<string>, lists: readonly ListNote[]): string[] {
  const places = new Map<string, number>()
  const plain = lists.filter(({ isPlain, parent }) => isPlain && !parent)
  let end = 0
  for (const { ids: listed, offset = end } of plain) {
    listed.forEach((id, at) => places.set(id, offset + at))
    end = Math.max(end, offset + listed.length)
  }
  const placeOf = (id: string): number => places.get(id) ?? Infinity
  return [...ids].toSorted((a, b) => {
    const difference = placeOf(a) - placeOf(b)
    // Infinity minus Infinity is no number.
    return difference || compareIds(a, b)
  })
}

/** Compares ids: numbers by value, others by code unit. */
export function compareIds(left: string, right: string): number {
  const isNumber = /^\d+$/
  return isNumber.test(left) && isNumber.test(right)
    ? Number(left) - Number(right)
    : compareTexts(left, right)
}
