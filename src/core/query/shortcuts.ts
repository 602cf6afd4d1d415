import type { JsonRecord } from '../json/json.ts'
import type { Bits } from '../structures/bits.ts'
import type { Path } from '../json/path.ts'
import type { SlotSet } from '../structures/slot-set.ts'
import type { VersionedCache } from '../structures/versioned-cache.ts'
import type { SortKey } from './tree.ts'

/**
 * The indexes of a collection and its cached query results, by which queries avoid a scan of all records. A
 * slot is the index of a record in the collection; slots ascend in the order of the records.
 */
export interface Shortcuts {
  /** One more than the highest slot in use. */
  readonly length: number
  at(slot: number): JsonRecord | undefined
  readonly indexes: {
    /** The slots of all records. */
    live(): Bits
    /**
     * The slots of the records with a value at the path that has any of these keys; undefined if there is no
     * index yet.
     */
    equal(path: Path, keys: readonly string[]): SlotSet | undefined
    /** Every slot in the order of the fields; undefined if there is no index yet and `eager` is not set. */
    order(sort: readonly SortKey[], eager?: boolean): Uint32Array | undefined
    /** Removes slots whose records cannot contain all fragments, which are in lower case. */
    removeByTexts(found: Bits, fragments: readonly string[]): void
  }
  /** Query results that are valid until the next write. */
  readonly results: VersionedCache
}
