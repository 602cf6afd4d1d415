import { ownValue } from '../json/json.ts'
import { type Bits, clearBit, createBits, setBit } from '../structures/bits.ts'
import { isFew, type SlotSet } from '../structures/slot-set.ts'
import type { Shortcuts } from './shortcuts.ts'
import type { Condition } from './tree.ts'

/**
 * Finds the slots of a comparison such as `age >= 18`: in the ascending order of the field they are a run of
 * the numbers and a run of the texts. Undefined if there is no order yet, or for lists and nested values.
 */
export function slotsInRange(
  { operator, path, operands }: Condition,
  { indexes, at, length }: Shortcuts,
): SlotSet | undefined {
  const [field = ''] = path
  if (!operator.isMonotone || path.length > 1) return undefined
  const test = operator.test?.(operands)
  const order = test && indexes.order([{ path, descending: false }])
  if (!order) return undefined
  const valueAt = (position: number): unknown => ownValue(at(order[position] ?? 0) ?? {}, field)
  const runs: [start: number, end: number][] = []
  let end = 0
  for (const type of ['number', 'string']) {
    const start = end
    end = firstAt(start, order.length, (position) => typeof valueAt(position) !== type)
    if (start === end) continue
    const holds = test(valueAt(start))
    const turn = firstAt(start, end, (position) => test(valueAt(position)) !== holds)
    runs.push(holds ? [start, turn] : [turn, end])
  }
  // Lists follow the booleans; each of their elements is compared.
  end = firstAt(end, order.length, (position) => typeof valueAt(position) !== 'boolean')
  if (isObject(valueAt(end))) return undefined
  const size = runs.reduce((sum, [start, stop]) => sum + stop - start, 0)
  if (isFew(size, length)) {
    const list = runs.flatMap(([start, stop]) => [...order.subarray(start, stop)])
    return { size, list: list.sort((a, b) => a - b) }
  }
  return { size, bits: toBits(runs, size, order, indexes.live()) }
}

/** The slots of some runs: adds those of the runs to none, or removes the others from all if they are fewer. */
function toBits(
  runs: readonly [start: number, end: number][],
  size: number,
  order: Uint32Array,
  live: Bits,
): Bits {
  const isFewer = size * 2 < order.length
  const bits = isFewer ? createBits(live.length * 32) : live.slice()
  const change = isFewer ? setBit : clearBit
  const edges = isFewer ? runs.flat() : [0, ...runs.flat(), order.length]
  for (let edge = 0; edge < edges.length; edge += 2) {
    const end = edges[edge + 1] ?? 0
    for (let at = edges[edge] ?? 0; at < end; at++) change(bits, order[at] ?? 0)
  }
  return bits
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

/** The first position at which a test holds that holds at every later position too; `high` if at none. */
function firstAt(low: number, high: number, test: (position: number) => boolean): number {
  while (low < high) {
    const middle = (low + high) >> 1
    if (test(middle)) high = middle
    else low = middle + 1
  }
  return low
}
