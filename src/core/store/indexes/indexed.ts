import type { JsonRecord } from '../../json/json.ts'

/** The records of a collection by slot (their index in insertion order); renumbered slots discard indexes. */
export interface IndexedRecords extends SlottedRecords {
  /** A number that changes with every write. */
  readonly version: number
  readonly size: number
  /** Returns the records as they are now: later writes do not change them. */
  snapshot(): SlottedRecords
}

/** Records by slot. */
export interface SlottedRecords {
  /** One more than the highest slot in use. */
  readonly length: number
  at(slot: number): JsonRecord | undefined
}

/** The written slots since the last update of an index, with the record before the first write. */
export type Before = ReadonlyMap<number, JsonRecord | undefined>

/** An index: its entries, and an update that applies writes to them. */
export interface Index<Entries> {
  entries: Entries
  /** Applies writes; `records` are those after the writes. */
  update(before: Before, records: SlottedRecords): void
}

/** The steps of building an index: each yields its work, of which `workPerStep` takes about two milliseconds. */
export type Steps<Result> = Generator<number, Result, void>

/** The steps that build an index. */
export type Building<Entries> = Steps<Index<Entries>>

/** The most work of a step: so many records are read, and half as many sorted. */
export const workPerStep = 4096
