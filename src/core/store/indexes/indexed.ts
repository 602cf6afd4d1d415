import type { JsonRecord } from '../../json/json.ts'
import type { Chunk } from '../records/slots.ts'

/** The records of a collection by slot (their index in insertion order); renumbered slots discard indexes. */
export interface IndexedRecords {
  /** A number that changes with every write. */
  readonly version: number
  readonly size: number
  /** One more than the highest slot in use. */
  readonly length: number
  at(slot: number): JsonRecord | undefined
  /** Calls back for every record in order. */
  each(callback: (record: JsonRecord, slot: number) => void): void
  /** The records by slot, in chunks of 512. */
  chunks(): readonly Chunk<JsonRecord>[]
}

/** The written slots since the last update of an index, with the record before the first write. */
export type Before = ReadonlyMap<number, JsonRecord | undefined>

/** An index: its entries, and an update that applies writes to them. */
export interface Index<Entries> {
  entries: Entries
  update(before: Before): void
}
