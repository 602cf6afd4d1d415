import { followLocations } from './follow-locations.ts'
import { redirectModeOf, toHop } from './hop.ts'
import { toMock, toMockAddress } from './to-mock.ts'

type Fetch = typeof globalThis.fetch

/**
 * Makes the global `fetch` send requests for the APIs that `redirect` names to the mock. If a framework replaces
 * `fetch`, for example by a function that caches, that function is wrapped too: its requests have the header of the
 * session, so that its cache separates sessions.
 */
export function redirectFetch(): void {
  const wrappers = new WeakSet<Fetch>()
  const wrap = (fetch: Fetch): Fetch => {
    if (wrappers.has(fetch)) return fetch
    const redirected: Fetch = (input, init) => {
      const hop = toHop(input, init)
      if (toMockAddress(hop.url) === undefined) return fetch(input, init)
      return redirectModeOf(hop) === 'follow' ? followLocations(fetch, hop) : fetch(...toMock(hop))
    }
    // Frameworks mark their function by properties, by which they know that `fetch` is already replaced.
    const wrapped = Object.assign(redirected, fetch)
    wrappers.add(wrapped)
    return wrapped
  }
  let current = wrap(globalThis.fetch)
  Object.defineProperty(globalThis, 'fetch', {
    configurable: true,
    enumerable: true,
    get: () => current,
    set(fetch: Fetch) {
      current = wrap(fetch)
    },
  })
}
