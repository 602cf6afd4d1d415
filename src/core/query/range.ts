import { rankOfType } from '../json/compare.ts'
import { ownValue } from '../json/json.ts'
import { type Bits, createBits, flipBits, flipEach } from '../structures/bits.ts'
import { firstAt } from '../structures/lower-bound.ts'
import { isFew, type SlotSet } from '../structures/slot-set.ts'
import type { Shortcuts } from './shortcuts.ts'
import type { Condition } from './tree.ts'

/**
 * Finds the records of a comparison such as `age >= 18`, as slots (indexes in the collection). In the index
 * that sorts the records by the field, the matching numbers (rank 0) and texts (rank 1) are two runs. Returns
 * undefined if there is no such index yet, for a nested field, and if a record has a list or an object in the
 * field (rank 3).
 */
export function slotsInRange(
  { operator, path, operands }: Condition,
  { indexes, at, length }: Shortcuts,
): SlotSet | undefined {
  const [field = ''] = path
  const test = operator.monotone?.(operands)
  const order = test && path.length < 2 && indexes.order([{ path, descending: false }])
  if (!order) return undefined
  const valueAt = (position: number): unknown => ownValue(at(order[position] ?? 0) ?? {}, field)
  const startOf = (rank: number): number =>
    firstAt(0, order.length, (position) => rankOfType(valueAt(position)) >= rank)
  // Of a list, each element is compared.
  if (startOf(3) < startOf(4)) return undefined
  const toRun = (rank: number): [start: number, end: number] => {
    const [start, end] = [startOf(rank), startOf(rank + 1)]
    const holds = test(valueAt(start))
    const turn = firstAt(start, end, (position) => test(valueAt(position)) !== holds)
    return holds ? [start, turn] : [turn, end]
  }
  const runs = [toRun(0), toRun(1)].filter(([start, end]) => start < end)
  const size = runs.reduce((sum, [start, stop]) => sum + stop - start, 0)
  if (isFew(size, length)) {
    const list = runs.flatMap(([start, stop]) => [...order.subarray(start, stop)])
    return { size, list: list.sort((a, b) => a - b) }
  }
  const bits = createBits(indexes.live().length * 32)
  for (const edge of runs.flat()) flipBits(bits, firstSlots(order, edge, indexes.live()))
  return { size, bits }
}

/** By order, and by a number of slots: the first slots of the order as bits. A write creates another order. */
const prefixes = new WeakMap<Uint32Array, Map<number, Bits>>()

/**
 * Returns the first slots of an order as bits: a copy of the kept prefix with the nearest number of slots, in
 * which the slots between both numbers are flipped. Keeps a prefix that is a sixteenth of the order away from
 * all kept prefixes, so that later calls flip few slots.
 */
function firstSlots(order: Uint32Array, count: number, live: Bits): Bits {
  const kept = prefixes.get(order) ?? new Map([[order.length, live]])
  prefixes.set(order, kept)
  let [nearest, prefix] = [0, createBits(live.length * 32)]
  for (const [other, bits] of kept) {
    if (Math.abs(other - count) < Math.abs(nearest - count)) [nearest, prefix] = [other, bits]
  }
  const bits = prefix.slice()
  flipEach(bits, order.subarray(Math.min(nearest, count), Math.max(nearest, count)))
  if (Math.abs(nearest - count) * 16 > order.length) kept.set(count, bits)
  return bits
}
