import { state } from './state.ts'

type Fetch = typeof globalThis.fetch

/**
 * Makes the global `fetch` send requests to the mock. A framework that replaces `fetch`, for example by one
 * that caches, is wrapped in turn, so that its cache has the session among the headers of its key.
 */
export function observeFetch(): void {
  const own = new WeakSet<Fetch>()
  const wrap = (fetch: Fetch): Fetch => {
    if (own.has(fetch)) return fetch
    const redirected: Fetch = (input, init) => fetch(...toMock(input, init))
    // Frameworks mark their function by properties, by which they know that `fetch` is already replaced.
    const wrapped = Object.assign(redirected, fetch)
    own.add(wrapped)
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

/** The arguments of `fetch` for the mock, with the session; unchanged for any other origin. */
function toMock(...args: Parameters<Fetch>): Parameters<Fetch> {
  const [input, init] = args
  const { redirection } = state
  const request = isRequest(input) ? input : undefined
  const address = toAddress(isRequest(input) ? input.url : input)
  if (!redirection || address === undefined) return args
  const headers = new Headers(init?.headers ?? request?.headers)
  const session = state.sessions.getStore()
  if (session !== undefined && !headers.has(redirection.header)) {
    headers.set(redirection.header, session)
  }
  // A `Request` as options has its members on its prototype, where a spread does not find them.
  const options = isRequest(init) ? new Request(address, init) : undefined
  return [
    options ?? (request ? new Request(address, request) : address),
    { ...(options ? {} : init), headers },
  ]
}

/** The URL at the mock for a URL that `redirect` names, or that is at a mock already; else undefined. */
function toAddress(address: string | URL): string | undefined {
  const targets = state.redirection?.targets ?? []
  if (targets.length === 0 || !URL.canParse(address)) return undefined
  const url = new URL(address)
  if (targets.some(({ to }) => to.origin === url.origin)) return url.href
  const target = targets.find(({ from }) => isBelow(url, from))
  if (!target) return undefined
  const { from, to } = target
  const rest = url.pathname.slice(basePath(from).length)
  return `${to.origin}${basePath(to)}${rest}${url.search}${url.hash}`
}

function isBelow(url: URL, base: URL): boolean {
  return url.origin === base.origin && `${url.pathname}/`.startsWith(`${basePath(base)}/`)
}

/** The path of a base URL without a slash at its end. */
function basePath({ pathname }: URL): string {
  return pathname.replace(/\/$/, '')
}

function isRequest(value: unknown): value is Request {
  return typeof value === 'object' && value !== null && 'url' in value && 'headers' in value
}
