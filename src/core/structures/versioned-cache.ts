/** A cache of at least the last 64 results, computed from data with a version; a new version discards them all. */
export interface VersionedCache {
  /** Returns the result for a key. A result is computed once for each version of the data, unless it was evicted. */
  get<T extends object>(key: string, compute: () => T): T
}

/** The most results in each of the two maps of a cache. */
const maxResults = 64
/** Results with longer keys are not cached: the keys may take more memory than the results. */
const maxKeyLength = 10_000

/**
 * Creates an empty cache. Its maps are replaced and never cleared: in V8, the table of a cleared map refers to
 * the next table, so that one dead table in the old generation makes the tables of all later results old, until
 * a full garbage collection.
 */
export function createVersionedCache(version: () => number): VersionedCache {
  let recent = new Map<string, unknown>()
  let earlier = recent
  let current = version()
  return {
    get<T extends object>(key: string, compute: () => T): T {
      if (current !== version()) {
        recent = new Map()
        earlier = recent
        current = version()
      }
      if (key.length > maxKeyLength) return compute()
      const result = ((recent.get(key) ?? earlier.get(key)) as T | undefined) ?? compute()
      if (recent.size === maxResults) {
        earlier = recent
        recent = new Map()
      }
      recent.set(key, result)
      return result
    },
  }
}
