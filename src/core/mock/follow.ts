import type { FixtureSource } from '../fixtures/fixtures.ts'
import { reloadAll } from '../store/reload/reload.ts'
import type { Store } from '../store/store.ts'

/** Takes over each change of a source at once, and reports conflicts with the writes of requests to it. */
export function follow(
  source: FixtureSource,
  store: Store,
  onFailure: (error: unknown, doing: string) => void,
): void {
  source.subscribe((changed, report) => {
    try {
      const conflicts = reloadAll(store, changed)
      if (conflicts.length > 0) report?.(conflicts)
    } catch (error) {
      onFailure(error, `take over "${Object.keys(changed).join(', ')}"`)
    }
  })
}
