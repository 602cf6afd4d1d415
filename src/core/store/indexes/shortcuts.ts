import { createVersionedCache, type VersionedCache } from '../../structures/versioned-cache.ts'
import type { JsonRecord } from '../../json/json.ts'
import type { Collection } from '../records/collection.ts'
import { createIndexes, type Indexes } from './indexes.ts'

/** Ways around looking at every record of a collection. */
export interface Shortcuts {
  /** One more than the highest slot ever used. */
  readonly length: number
  at(slot: number): JsonRecord | undefined
  readonly indexes: Indexes
  /** What was found out about the records, for as long as they stay as they are. */
  readonly kept: VersionedCache
}

const known = new WeakMap<Collection, Shortcuts>()

/** The shortcuts of a collection, which keep themselves up to date from the first call on. */
export function shortcutsOf(collection: Collection): Shortcuts {
  const found = known.get(collection)
  if (found) return found
  const indexes = createIndexes(collection)
  collection.watch(indexes.note)
  const shortcuts: Shortcuts = {
    get length() {
      return collection.length
    },
    at: collection.at,
    indexes,
    kept: createVersionedCache(() => collection.version),
  }
  known.set(collection, shortcuts)
  return shortcuts
}
