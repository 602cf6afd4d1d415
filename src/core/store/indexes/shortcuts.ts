import type { JsonRecord } from '../../json/json.ts'
import { createVersionedCache, type VersionedCache } from '../../structures/versioned-cache.ts'
import type { IndexedRecords } from './indexed.ts'
import { createIndexes, type Indexes } from './indexes.ts'

/**
 * Finds records of a collection without a scan: by slot (the record's index in insertion order), through
 * indexes, or from the cached results of earlier queries.
 */
export interface Shortcuts {
  /** One more than the highest slot in use. */
  readonly length: number
  at(slot: number): JsonRecord | undefined
  readonly indexes: Indexes
  /** Query results that are valid until the next write. */
  readonly results: VersionedCache
}

/** The records that shortcuts lead to. */
interface VersionedRecords extends IndexedRecords {
  readonly version: number
}

/** Creates the shortcuts of a collection, which has to note every write in the indexes. */
export function createShortcuts(records: VersionedRecords): Shortcuts {
  return {
    get length() {
      return records.length
    },
    at: records.at,
    indexes: createIndexes(records),
    results: createVersionedCache(() => records.version),
  }
}
