import { setLatest } from './set-latest.ts'

/**
 * A cache of the last 128 results that were asked for, computed from data with a version number; a change of
 * the version discards all results.
 */
export interface VersionedCache {
  /** Returns the result for a key. A result is computed once for each version of the data, unless it was evicted. */
  get<T extends object>(key: string, compute: () => T): T
}

/** The number of results in a cache. */
const maxResults = 128
/** Results with longer keys are not cached: the keys may take more memory than the results. */
const maxKeyLength = 16_384

/** Creates a cache of the last few results; a new version of the data clears the cache. */
export function createVersionedCache(version: () => number): VersionedCache {
  const results = new Map<string, unknown>()
  let current = version()
  return {
    get<T extends object>(key: string, compute: () => T): T {
      if (current !== version()) {
        results.clear()
        current = version()
      }
      if (key.length > maxKeyLength) return compute()
      const result = (results.get(key) as T | undefined) ?? compute()
      setLatest(results, key, result, maxResults)
      return result
    },
  }
}
