import { type Json, type JsonRecord, ownValue } from '../../json/json.ts'
import type { Index, IndexedRecords } from './indexed.ts'

/** The values of one field by slot; undefined where a record has none, or there is no record. */
export type Column = readonly (Json | undefined)[]

/** Builds the column of a field. A test on it need not fetch a single record. */
export function buildColumn(records: IndexedRecords, field: string): Index<Column> {
  const kept: (Json | undefined)[] = []
  const set = (slot: number, record: JsonRecord | undefined): void => {
    while (kept.length < slot) kept.push(undefined)
    kept[slot] = record && ownValue(record, field)
  }
  records.each((record, slot) => set(slot, record))
  return {
    kept,
    update(before) {
      for (const slot of before.keys()) set(slot, records.at(slot))
    },
  }
}
