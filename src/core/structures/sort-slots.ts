import { rankOfType } from '../json/compare.ts'

/**
 * Sorts slots (indexes in the list of records of a collection) by a value of each, in the order of
 * `compareValues`; slots with equal values keep their order. Sorts the values of each type separately, because
 * comparing values of one type is faster.
 */
export function sortSlots(
  slots: Uint32Array,
  valueOf: (slot: number) => unknown,
  descending: boolean,
): Uint32Array {
  const values: unknown[] = []
  const parts: [number[], number[], number[], number[], number[]] = [[], [], [], [], []]
  for (let at = 0; at < slots.length; at++) {
    const value = valueOf(slots[at] ?? 0)
    values.push(value)
    parts[rankOfType(value)].push(at)
  }
  const [numbers, texts, booleans, objects, missing] = parts
  const sign = descending ? -1 : 1
  const toSorted = (part: number[]): Uint32Array =>
    Uint32Array.from(part).sort((a, b) => {
      const [left, right] = [values[a] as number, values[b] as number]
      return left < right ? -sign : left > right ? sign : 0
    })
  const sorted = [toSorted(numbers), toSorted(texts), toSorted(booleans), objects]
  if (descending) sorted.reverse()
  const order = new Uint32Array(slots.length)
  let next = 0
  for (const part of [...sorted, missing]) {
    for (let at = 0; at < part.length; at++) order[next++] = slots[part[at] ?? 0] ?? 0
  }
  return order
}
