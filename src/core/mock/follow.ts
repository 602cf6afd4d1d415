import type { FixtureSource } from '../fixtures/fixtures.ts'
import { reloadAll } from '../store/reload/reload.ts'
import type { Store } from '../store/store.ts'

/**
 * Takes over every change of a source, before the call of the source's listener returns. Reports
 * conflicts to the source and errors to `onFailure`. Returns a function that ends it.
 */
export function follow(
  source: FixtureSource,
  store: Store,
  onFailure: (error: unknown, doing: string) => void,
): () => void {
  return source.subscribe((changed, report) => {
    try {
      const conflicts = reloadAll(store, changed)
      if (conflicts.length > 0) report?.(conflicts)
    } catch (error) {
      onFailure(error, `take over "${Object.keys(changed).join(', ')}"`)
    }
  })
}
