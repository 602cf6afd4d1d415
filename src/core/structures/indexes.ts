import type { JsonRecord } from '../json/json.ts'
import type { Path } from '../json/path.ts'
import type { Bits, SlotSet } from './slot-set.ts'
import type { VersionedCache } from './versioned-cache.ts'

/**
 * The indexes of a collection and its cached query results, by which queries avoid a scan of all records. A
 * slot is the index of a record in the collection; slots ascend in the order of the records. An index is built
 * by the second query that can use it, with `eager` by the first.
 */
export interface Indexes {
  /** One more than the highest slot in use. */
  readonly length: number
  at(slot: number): JsonRecord | undefined
  /** The slots of all records. */
  live(): Bits
  /** The slots of the records with a value at the path that has any of these keys. */
  equal(path: Path, keys: readonly string[], eager?: boolean): SlotSet | undefined
  /** Every slot in the order of the values of the fields, with missing values last. */
  order(keys: readonly OrderKey[], eager?: boolean): Uint32Array | undefined
  /** Removes slots whose records cannot contain all fragments, which are in lower case. */
  removeByTexts(slots: Bits, fragments: readonly string[]): void
  /** Query results that are valid until the next write. */
  readonly results: VersionedCache
}

/** A field to sort by, and the direction. The last key can have no path: the position of the records. */
export interface OrderKey {
  path: Path
  descending: boolean
}
