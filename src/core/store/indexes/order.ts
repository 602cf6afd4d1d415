import { compareValues, rankOfType } from '../../json/compare.ts'
import type { JsonRecord } from '../../json/json.ts'
import { valueAt } from '../../json/path.ts'
import { firstAt } from '../../structures/lower-bound.ts'
import type { OrderKey } from '../../structures/indexes.ts'
import type { Before, Index, IndexedRecords } from './indexed.ts'

/** Builds an index for sorting: the slots of all records by the values of fields, then by slot, or by slot downwards. */
export function buildOrder(
  records: IndexedRecords,
  allKeys: readonly OrderKey[],
): Index<Uint32Array> {
  const keys = allKeys.filter(({ path }) => path.length > 0)
  const isReversed = allKeys.some(({ path, descending }) => path.length === 0 && descending)
  /** The memory that the next update writes the entries to. */
  let spare: Uint32Array = new Uint32Array(0)
  const index = { entries: sortAll(records, keys, isReversed), update }

  function compare(
    left: JsonRecord | undefined,
    leftSlot: number,
    right: JsonRecord | undefined,
    rightSlot: number,
  ): number {
    for (const { path, descending } of keys) {
      const sign = compareValues(
        left && valueAt(left, path),
        right && valueAt(right, path),
        descending,
      )
      if (sign !== 0) return sign
    }
    return isReversed ? rightSlot - leftSlot : leftSlot - rightSlot
  }

  /** The position of a record among the entries; `read` gives the records that the entries are sorted by. */
  function positionOf(
    slot: number,
    record: JsonRecord,
    read: (slot: number) => JsonRecord | undefined,
  ): number {
    return firstAt(0, index.entries.length, (at) => {
      const other = index.entries[at] ?? 0
      return compare(read(other), other, record, slot) >= 0
    })
  }

  /** Whether a write left the position of the record unchanged, as most writes do. */
  function isUnmoved(before: JsonRecord | undefined, now: JsonRecord | undefined): boolean {
    if (!before || !now) return before === now
    return keys.every(({ path }) => valueAt(before, path) === valueAt(now, path))
  }

  /** Copies the entries between the positions of the changed ones: the writes share the cost of a copy. */
  function update(before: Before): void {
    const readBefore = (slot: number): JsonRecord | undefined =>
      before.has(slot) ? before.get(slot) : records.at(slot)
    const edits: { position: number; slot: number; record: JsonRecord | undefined }[] = []
    let { length } = index.entries
    for (const [slot, held] of before) {
      const record = records.at(slot)
      if (isUnmoved(held, record)) continue
      if (held)
        edits.push({ position: positionOf(slot, held, readBefore), slot, record: undefined })
      if (record) edits.push({ position: positionOf(slot, record, readBefore), slot, record })
      length += Number(record !== undefined) - Number(held !== undefined)
    }
    if (edits.length === 0) return
    // At one position, entries are inserted in their order, and before the entry that leaves.
    edits.sort(
      (a, b) =>
        a.position - b.position ||
        (a.record && b.record ? compare(a.record, a.slot, b.record, b.slot) : a.record ? -1 : 1),
    )
    const { entries } = index
    if (spare.length < length) spare = new Uint32Array(length + (length >> 3) + 8)
    let read = 0
    let written = 0
    for (const { position, slot, record } of edits) {
      spare.set(entries.subarray(read, position), written)
      written += position - read
      read = position
      if (record) spare[written++] = slot
      else read++
    }
    spare.set(entries.subarray(read), written)
    const freed: Uint32Array = new Uint32Array(entries.buffer)
    index.entries = spare.subarray(0, length)
    spare = freed
  }

  return index
}

/** Sorts by the last field first, as a stable sort keeps the order among equal values of the fields before. */
function sortAll(
  records: IndexedRecords,
  keys: readonly OrderKey[],
  isReversed: boolean,
): Uint32Array {
  const slots: Uint32Array = new Uint32Array(records.size)
  let next = 0
  records.each((_record, slot) => void (slots[next++] = slot))
  if (isReversed) slots.reverse()
  return keys.reduceRight<Uint32Array>((sorted, { path, descending }) => {
    const valueOf = (slot: number): unknown => {
      const record = records.at(slot)
      return record && valueAt(record, path)
    }
    return sortSlots(sorted, valueOf, descending)
  }, slots)
}

/**
 * Sorts slots by a value of each, stably, in the order of `compareValues`: the values of each type apart, as
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
