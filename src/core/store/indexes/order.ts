import { compareValues, rankOfType } from '../../json/compare.ts'
import type { JsonRecord } from '../../json/json.ts'
import { valueAt } from '../../json/path.ts'
import type { OrderKey } from '../../structures/indexes.ts'
import { type SlottedRecords, type Steps, workPerStep } from './indexed.ts'

/** An order of records: by the values of fields, then by slot, or by slot downwards. */
export interface Order {
  compare(
    left: JsonRecord | undefined,
    leftSlot: number,
    right: JsonRecord | undefined,
    rightSlot: number,
  ): number
  /** Whether two versions of a record have the same values of the fields. */
  isSame(one: JsonRecord, other: JsonRecord): boolean
}

/** Creates the order of some keys. */
export function createOrder(allKeys: readonly OrderKey[]): Order {
  const { keys, isReversed } = toKeys(allKeys)
  return {
    compare(left, leftSlot, right, rightSlot) {
      for (const { path, descending } of keys) {
        const sign = compareValues(
          left && valueAt(left, path),
          right && valueAt(right, path),
          descending,
        )
        if (sign !== 0) return sign
      }
      return isReversed ? rightSlot - leftSlot : leftSlot - rightSlot
    },
    isSame: (one, other) => keys.every(({ path }) => valueAt(one, path) === valueAt(other, path)),
  }
}

/** Separates the fields from the key without a path, which is the position of the records. */
function toKeys(all: readonly OrderKey[]): { keys: OrderKey[]; isReversed: boolean } {
  return {
    keys: all.filter(({ path }) => path.length > 0),
    isReversed: all.some(({ path, descending }) => path.length === 0 && descending),
  }
}

/**
 * Sorts the slots of all records, in steps: by the last field first, as a stable sort keeps the order among equal
 * values of the fields before.
 */
export function* sortRecordSlots(
  { length, at }: SlottedRecords,
  order: readonly OrderKey[],
): Steps<readonly number[] | Uint32Array> {
  const { keys, isReversed } = toKeys(order)
  const all: number[] = []
  for (let slot = 0; slot < length; slot++) if (at(slot)) all.push(slot)
  if (isReversed) all.reverse()
  let slots: readonly number[] | Uint32Array = all
  for (const { path, descending } of keys.toReversed()) {
    const valueOf = (slot: number): unknown => valueAt(at(slot) ?? {}, path)
    slots = yield* sortSlots(slots, valueOf, descending)
  }
  return slots
}

/**
 * Sorts slots by a value of each, stably, in the order of `compareValues`: the values of each type apart, as
 * comparing values of one type is faster.
 */
export function* sortSlots(
  slots: readonly number[] | Uint32Array,
  valueOf: (slot: number) => unknown,
  descending: boolean,
): Steps<Uint32Array> {
  const values: unknown[] = []
  const parts: [number[], number[], number[], number[], number[]] = [[], [], [], [], []]
  for (let at = 0; at < slots.length; at++) {
    if (at % workPerStep === workPerStep - 1) yield workPerStep
    const value = valueOf(slots[at] ?? 0)
    values.push(value)
    parts[rankOfType(value)].push(at)
  }
  const sign = descending ? -1 : 1
  const compare = (a: number, b: number): number => {
    const [left, right] = [values[a] as number, values[b] as number]
    return left < right ? -sign : left > right ? sign : 0
  }
  const [numbers, texts, booleans, objects, missing] = parts
  const sorted: ArrayLike<number>[] = []
  for (const part of [numbers, texts, booleans]) sorted.push(yield* mergeSort(part, compare))
  sorted.push(objects)
  if (descending) sorted.reverse()
  const order = new Uint32Array(slots.length)
  let next = 0
  for (const part of [...sorted, missing]) {
    for (let at = 0; at < part.length; at++) order[next++] = slots[part[at] ?? 0] ?? 0
  }
  return order
}

/** Sorts integers stably, in steps: short runs first, then the runs are merged. */
function* mergeSort(
  items: readonly number[],
  compare: (a: number, b: number) => number,
): Steps<Uint32Array> {
  let from = Uint32Array.from(items)
  let to = new Uint32Array(items.length)
  const { length } = items
  const runLength = workPerStep / 2
  for (let start = 0; start < length; start += runLength) {
    const run = from.subarray(start, start + runLength).sort(compare)
    yield run.length * 2
  }
  for (let width = runLength; width < length; width *= 2) {
    for (let start = 0; start < length; start += width * 2) {
      let [left, right] = [start, start + width]
      const [leftEnd, rightEnd] = [Math.min(right, length), Math.min(right + width, length)]
      for (let at = start; at < rightEnd; at++) {
        if (at % (workPerStep * 4) === 0) yield workPerStep
        const isLeft =
          left < leftEnd && (right >= rightEnd || compare(from[left] ?? 0, from[right] ?? 0) <= 0)
        to[at] = from[isLeft ? left++ : right++] ?? 0
      }
    }
    ;[from, to] = [to, from]
  }
  return from
}
