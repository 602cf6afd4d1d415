import type { JsonRecord } from '../../json/json.ts'
import type { Path } from '../../json/path.ts'

/**
 * Translates between the fields of stored records and those of the wire, for a dialect that spells keys in
 * another way than the fixtures (`view` of `Dialect`). No function may change its arguments.
 */
export interface RecordNames {
  /** Returns a stored record with the names of the wire. */
  present(record: JsonRecord): JsonRecord
  /** Returns the record to store for a record with the names of the wire; `previous` is the replaced record. */
  toStored(record: JsonRecord, previous: JsonRecord | undefined): JsonRecord
  /** Returns the name of a stored field on the wire. */
  fieldName(field: string): string
}

/** The keys that the records of a resource have. */
export interface StoredKeys {
  name: string
  /** The names of all fields that records have had. */
  keys?(): ReadonlySet<string>
  /** Whether any record has ever had a value at the path. */
  hasPath?(path: Path): boolean
}
