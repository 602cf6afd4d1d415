import { type Json, type JsonRecord, ownValue } from '../../json/json.ts'
import type { Index, IndexedRecords } from './indexed.ts'

/**
 * An index of one field: an array with the field's value in each record, by slot (the record's index in the
 * collection). The value is undefined for a missing field and for the slot of a removed record.
 */
export type Column = readonly (Json | undefined)[]

/** Builds the column of a field, with which a filter can test values without fetching records. */
export function buildColumn(records: IndexedRecords, field: string): Index<Column> {
  const entries: (Json | undefined)[] = []
  const set = (slot: number, record: JsonRecord | undefined): void => {
    while (entries.length < slot) entries.push(undefined)
    entries[slot] = record && ownValue(record, field)
  }
  records.each((record, slot) => set(slot, record))
  return {
    entries,
    update(before) {
      for (const slot of before.keys()) set(slot, records.at(slot))
    },
  }
}
