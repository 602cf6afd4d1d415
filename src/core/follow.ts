import type { FixtureSource } from './fixtures.ts'
import { after } from './http/messages.ts'
import { later } from './service.ts'
import type { Store } from './store/store.ts'

/** Takes over what changes in a source; requests that come meanwhile wait for it. */
export function follow(
  source: FixtureSource,
  store: Store,
  fail: (error: unknown, request: { method: string; path: string; id: string }) => void,
): void {
  // What fails here fails again where it is needed.
  later.load()?.catch(() => undefined)
  source.subscribe((changed, tell) => {
    const taken = after(later.load(), () => {
      const conflicts = later.get().reloadAll(store, changed)
      if (conflicts.length > 0) tell?.(conflicts)
    })
    const place = { method: 'RELOAD', path: Object.keys(changed).join(', '), id: 'source' }
    if (taken instanceof Promise) taken.catch((error: unknown) => fail(error, place))
  })
}
