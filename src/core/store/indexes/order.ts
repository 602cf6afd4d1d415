import { compareValues } from '../../json/compare.ts'
import type { JsonRecord } from '../../json/json.ts'
import { type Path, valueAt } from '../../json/path.ts'
import type { Index, IndexedRecords } from './indexed.ts'

/**
 * Builds the index for sorted queries: the slots (indexes in insertion order) of all records, sorted by the
 * value at a path. Records with equal values are sorted by slot.
 */
export function buildOrder(
  records: IndexedRecords,
  path: Path,
  descending: boolean,
): Index<number[]> {
  const entries = sortSlots(records, path, descending)

  /** The position of a slot that holds `record`; `read` gives the records of the other slots. */
  function positionOf(
    slot: number,
    record: JsonRecord,
    read: (slot: number) => JsonRecord | undefined,
  ): number {
    const value = valueAt(record, path)
    let low = 0
    let high = entries.length
    while (low < high) {
      const middle = (low + high) >> 1
      const other = entries[middle] ?? 0
      const held = read(other)
      const sign = compareValues(held && valueAt(held, path), value, descending) || other - slot
      if (sign < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Whether a write left the position of the record unchanged, as most writes do. */
  function isUnmoved(before: JsonRecord | undefined, now: JsonRecord | undefined): boolean {
    return before && now ? valueAt(before, path) === valueAt(now, path) : before === now
  }

  return {
    entries,
    update(before) {
      // The entries are ordered by the records before the writes, so the search compares with those.
      const readBefore = (slot: number): JsonRecord | undefined =>
        before.has(slot) ? before.get(slot) : records.at(slot)
      const moved = [...before].filter(([slot, record]) => !isUnmoved(record, records.at(slot)))
      for (const [slot, record] of moved) {
        if (record) entries.splice(positionOf(slot, record, readBefore), 1)
      }
      for (const [slot] of moved) {
        const record = records.at(slot)
        if (record) entries.splice(positionOf(slot, record, records.at), 0, slot)
      }
    },
  }
}

/** A function of its own, so that the index does not keep the values alive. */
function sortSlots(records: IndexedRecords, path: Path, descending: boolean): number[] {
  const rows: { slot: number; value: unknown }[] = []
  records.each((record, slot) => void rows.push({ slot, value: valueAt(record, path) }))
  rows.sort((a, b) => compareValues(a.value, b.value, descending) || a.slot - b.slot)
  return rows.map(({ slot }) => slot)
}
