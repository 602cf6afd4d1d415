import type { FixtureSource } from '../fixtures/fixtures.ts'
import { reloadAll } from '../store/reload/reload.ts'
import type { Store } from '../store/store.ts'

/**
 * Subscribes a store to a fixture source: loads each change into the store before the listener returns.
 * Reports conflicts to the source and errors to `onFailure`. Returns a function that ends the subscription.
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
