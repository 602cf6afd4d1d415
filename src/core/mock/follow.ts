import type { FixtureSource } from '../fixtures/fixtures.ts'
import { after } from '../http/contract/messages.ts'
import { later } from './service.ts'
import type { Store } from '../store/store.ts'

/** Takes over what changes in a source; requests that come meanwhile wait for it. */
export function follow(
  source: FixtureSource,
  store: Store,
  fail: (error: unknown, doing: string) => void,
): void {
  // What fails here fails again where it is needed.
  later.load()?.catch(() => undefined)
  source.subscribe((changed, tell) => {
    const taken = after(later.load(), () => {
      const conflicts = later.get().reloadAll(store, changed)
      if (conflicts.length > 0) tell?.(conflicts)
    })
    const doing = `take over "${Object.keys(changed).join(', ')}"`
    if (taken instanceof Promise) taken.catch((error: unknown) => fail(error, doing))
  })
}
