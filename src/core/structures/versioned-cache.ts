/**
 * A cache of at most 16 results that are computed from data with a version number; a change of the
 * version discards all results.
 */
export interface VersionedCache {
  /** Returns the result for a key, computed once for each version of the data unless evicted. */
  get<T>(key: string, compute: () => T): T
}

/** How many results a cache holds. */
const maxResults = 16

/** Creates a cache of the last few results; a new version of the data clears the cache. */
export function createVersionedCache(version: () => number): VersionedCache {
  const results = new Map<string, unknown>()
  let current = version()
  return {
    get<T>(key: string, compute: () => T): T {
      if (current !== version()) {
        results.clear()
        current = version()
      }
      if (results.has(key)) return results.get(key) as T
      const result = compute()
      const [oldest] = results.keys()
      if (results.size >= maxResults && oldest !== undefined) results.delete(oldest)
      results.set(key, result)
      return result
    },
  }
}
