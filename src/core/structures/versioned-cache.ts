/** Results that are right for one version of what they come from. */
export interface VersionedCache {
  /** Gives the result of that name, computed at most once a version. */
  get<T>(name: string, compute: () => T): T
}

/** How many results are kept. */
const most = 16

/** Creates a place for the last few results; all of them go when the version changes. */
export function createVersionedCache(version: () => number): VersionedCache {
  const results = new Map<string, unknown>()
  let kept = version()
  return {
    get<T>(name: string, compute: () => T): T {
      if (kept !== version()) {
        results.clear()
        kept = version()
      }
      if (results.has(name)) return results.get(name) as T
      const result = compute()
      const [oldest] = results.keys()
      if (results.size >= most && oldest !== undefined) results.delete(oldest)
      results.set(name, result)
      return result
    },
  }
}
