/**
 * A cache of the last 128 results that were asked for, computed from data with a version number; a change of
 * the version discards all results.
 */
export interface VersionedCache {
  /** Returns the result for a key, computed once for each version of the data unless evicted. */
  get<T>(key: string, compute: () => T): T
}

/** How many results a cache holds. */
const maxResults = 128

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
      const result = results.has(key) ? (results.get(key) as T) : compute()
      results.delete(key)
      results.set(key, result)
      const [oldest] = results.keys()
      if (results.size > maxResults) results.delete(oldest as string)
      return result
    },
  }
}
