import type { MockError } from '../../errors/mock-error.ts'
import type { JsonRecord } from '../../json/json.ts'

/** How a request sees a collection: the hooks of all behaviours that hide, change or rename, as one. */
export interface RecordView {
  /** Whether no behaviour hides or changes records, so that they can be handed out as they are stored. */
  isIdentity: boolean
  /** The fields that behaviours derive, and the view without them; undefined if there are none. */
  derived?: { names: ReadonlySet<string>; without: RecordView } | undefined
  /** The error of the first behaviour that hides the record; undefined for a visible record, null for 404. */
  refusal(record: JsonRecord): MockError | null | undefined
  /** The record as the request sees it; undefined if a behaviour hides it. */
  visible(record: JsonRecord): JsonRecord | undefined
  /** The record as the request sees it, hidden or not. */
  present(record: JsonRecord): JsonRecord
  /** The record that a PATCH changes: as displayed, but only with the views that can be reversed. */
  presentForPatch(record: JsonRecord): JsonRecord
  /** The record to store for a record that the request sends; `previous` is the record to be replaced. */
  toStored(record: JsonRecord, previous?: JsonRecord): JsonRecord
  /** The stored record of a record that this view has presented. */
  storedOf(record: JsonRecord): JsonRecord
  /** The name under which the request sees a field of the stored records. */
  fieldName(field: string): string
}

/** Hides and changes the records of a collection for one request: in lists, as members and embedded. */
export interface View {
  /** Whether the request sees a record; lists leave hidden records out. */
  includes?(record: JsonRecord): boolean
  /** The error for a request of a hidden record. @default 404 */
  refuse?(record: JsonRecord): MockError
  /** The record to show; must not change its argument. */
  present?(record: JsonRecord): JsonRecord
  /**
   * The fields that `present` adds to records. They change without a write to the record, so that it has no
   * `Last-Modified`, and a list adds them to the records of a page alone, unless it filters or sorts by them.
   */
  derives?: readonly string[]
  /**
   * Reverses `present`: returns the record to store for a record that the request sends. `previous` is the
   * record to be replaced. Must not change its arguments. Without this function, requests send records as stored.
   */
  toStored?(record: JsonRecord, previous: JsonRecord | undefined): JsonRecord
  /** The shown name of a stored field. */
  fieldName?(field: string): string
}

/** A composed view, and the user and version of the request that it was composed for. */
export interface KnownView {
  user: JsonRecord | undefined
  version: string | undefined
  view: RecordView
}
