import { type Bits, clearBit, createBits, setBit } from '../../structures/bits.ts'
import type { Before, Index, IndexedRecords } from './indexed.ts'

/**
 * Builds the index of the live slots: the slots (indexes in the collection) that hold a record. A filter begins
 * with these slots if no other index can answer it.
 */
export function buildLive(records: IndexedRecords): Index<Bits> {
  const build = (): Bits => {
    const bits = createBits(records.length + (records.length >> 1))
    records.each((_record, slot) => setBit(bits, slot))
    return bits
  }
  const index = { entries: build(), update }

  function update(before: Before): void {
    if (records.length > index.entries.length * 32) index.entries = build()
    for (const slot of before.keys()) {
      const change = records.at(slot) ? setBit : clearBit
      change(index.entries, slot)
    }
  }

  return index
}
