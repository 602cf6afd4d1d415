import type { JsonRecord } from '../../json/json.ts'

/** Where an index finds the records. */
export interface IndexedRecords {
  readonly size: number
  at(slot: number): JsonRecord | undefined
  each(callback: (record: JsonRecord, slot: number) => void): void
}

/** What each slot held that was written to since an index was last up to date. */
export type Before = ReadonlyMap<number, JsonRecord | undefined>

/** One index: what it keeps, and how it takes writes in. */
export interface Index<Kept> {
  kept: Kept
  update(before: Before): void
}
