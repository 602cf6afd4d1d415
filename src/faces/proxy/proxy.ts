import type { Behaviour } from '../../core/http/contract/behaviour.ts'
import { createProxy } from '../../core/behaviours/proxy/proxy.ts'
import type { ProxyOptions } from '../../core/behaviours/proxy/options.ts'
import { MockError } from '../../core/errors/mock-error.ts'
import { type HeaderList, isSafe } from '../../core/http/contract/messages.ts'
import type { Forward } from '../../core/proxy/forward.ts'

/**
 * Passes requests on to a real server: those whose path names no fixture, or with `when: 'always'` all that
 * `only` lists. Bodies and event streams pass through; a server that is down or slow is a 502 or 504. Comes
 * last in `use`, as later behaviours do not see the requests.
 * @throws MockError when an option is wrong
 * @example proxy({ to: 'https://api.example.com', only: ['/reports/*'] })
 */
export function proxy(options: ProxyOptions): Behaviour {
  return createProxy(options, { forward })
}

/** Sends a request of the behaviour `proxy()` to the real server, with the global `fetch`. */
export const forward: Forward = async ({ method, url, headers, body, isInsecure, onCancel }) => {
  if (isInsecure) {
    throw new MockError(
      'the option "insecure" needs a mock that is loaded from files in Node, with loadMock or mock server',
    )
  }
  const controller = new AbortController()
  onCancel(() => controller.abort())
  const init: RequestInit = {
    method,
    headers: toFetchHeaders(headers),
    body: (body ?? null) as BodyInit | null,
    redirect: isSafe(method) || !isPage() ? 'manual' : 'follow',
    signal: controller.signal,
  }
  const first = await fetch(url, init)
  // A page cannot see a redirect, so `fetch` follows it. Only safe requests are repeated for that.
  const response =
    first.type === 'opaqueredirect' ? await fetch(url, { ...init, redirect: 'follow' }) : first
  const isDecoded = response.headers.has('content-encoding')
  const omitted = isDecoded ? /^(?:set-cookie|content-(?:encoding|length))$/ : /^set-cookie$/
  const received: HeaderList = [...response.headers].filter(([name]) => !omitted.test(name))
  for (const cookie of response.headers.getSetCookie()) received.push(['Set-Cookie', cookie])
  return { status: response.status, headers: received, body: response.body as never }
}

/** The headers for `fetch`, without MSW's mark in `Accept` unless MSW, which removes the mark, can answer. */
function toFetchHeaders(headers: HeaderList): HeaderList {
  const isMarked = isIntercepted()
  return headers.flatMap(([name, value]): HeaderList => {
    if (fetchHeaders.test(name)) return []
    const isAccept = !isMarked && name.toLowerCase() === 'accept'
    return [[name, isAccept ? value.replace(/, msw\/passthrough$/, '') : value]]
  })
}

/** Whether this is a page or a worker of a page, whose `fetch` hides redirects. */
function isPage(): boolean {
  return 'location' in globalThis
}

/** Whether MSW may see requests of `fetch`: a service worker controls the page, or `fetch` is not the built-in one. */
function isIntercepted(): boolean {
  const { navigator } = globalThis as { navigator?: { serviceWorker?: { controller?: unknown } } }
  if (navigator?.serviceWorker?.controller) return true
  return !/^function fetch\(input, init = |\[native code\]/.test(String(fetch))
}

/** The headers that `fetch` sets itself, or refuses. */
const fetchHeaders = /^(?:host|content-length|expect|accept-encoding)$/i
