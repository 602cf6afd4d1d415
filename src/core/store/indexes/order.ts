import { compareValues } from '../../json/compare.ts'
import type { JsonRecord } from '../../json/json.ts'
import { type Path, valueAt } from '../../json/path.ts'
import type { Index, IndexedRecords } from './indexed.ts'

/** Builds the order of all slots by the values at a path; among equals the lower slot comes first. */
export function buildOrder(
  records: IndexedRecords,
  path: Path,
  descending: boolean,
): Index<number[]> {
  const kept = sortSlots(records, path, descending)

  /** The place of a slot by that record, while the other slots hold what `read` says. */
  function placeOf(
    slot: number,
    record: JsonRecord,
    read: (slot: number) => JsonRecord | undefined,
  ): number {
    const value = valueAt(record, path)
    let low = 0
    let high = kept.length
    while (low < high) {
      const middle = (low + high) >> 1
      const other = kept[middle] ?? 0
      const held = read(other)
      const sign = compareValues(held && valueAt(held, path), value, descending) || other - slot
      if (sign < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Whether a record that was replaced has kept its place; most writes leave most fields alone. */
  function isAtPlace(before: JsonRecord | undefined, now: JsonRecord | undefined): boolean {
    return before && now ? valueAt(before, path) === valueAt(now, path) : before === now
  }

  return {
    kept,
    update(before) {
      // The list is still in the order of what the slots held, so that is what to search by.
      const held = (slot: number): JsonRecord | undefined =>
        before.has(slot) ? before.get(slot) : records.at(slot)
      const moved = [...before].filter(([slot, record]) => !isAtPlace(record, records.at(slot)))
      for (const [slot, record] of moved) {
        if (record) kept.splice(placeOf(slot, record, held), 1)
      }
      for (const [slot] of moved) {
        const record = records.at(slot)
        if (record) kept.splice(placeOf(slot, record, records.at), 0, slot)
      }
    },
  }
}

/** On its own, so that the values are not kept for as long as the order. */
function sortSlots(records: IndexedRecords, path: Path, descending: boolean): number[] {
  const rows: { slot: number; value: unknown }[] = []
  records.each((record, slot) => void rows.push({ slot, value: valueAt(record, path) }))
  rows.sort((a, b) => compareValues(a.value, b.value, descending) || a.slot - b.slot)
  return rows.map(({ slot }) => slot)
}
