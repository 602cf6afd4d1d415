import { state } from './state.ts'

/**
 * Returns the arguments with which `fetch` sends a request: with the URL at the mock and the header of the
 * session if the request goes to the mock.
 */
export function toMock({ url, request, init }: Hop): [Request | string, RequestInit] {
  const headers = new Headers(init.headers ?? request?.headers)
  const address = toMockAddress(url)
  const { redirection } = state
  const session = state.sessions.getStore()
  if (redirection && address !== undefined && session !== undefined) {
    if (!headers.has(redirection.header)) headers.set(redirection.header, session)
  }
  const target = address ?? url
  return [request ? new Request(target, request) : target, { ...init, headers }]
}

/**
 * Returns the URL at the mock for a URL that `redirect` names, or that is at a mock already; undefined for any
 * other URL.
 */
export function toMockAddress(address: string): string | undefined {
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

/** Returns the path of a base URL without a slash at its end. */
function basePath({ pathname }: URL): string {
  return pathname.replace(/\/$/, '')
}

/**
 * A request of server-side code before the request is sent to the mock: a call of `fetch`, or the next request
 * after a redirect.
 */
export interface Hop {
  url: string
  /** The `Request` that supplies the members that `init` does not have. */
  request: Request | undefined
  init: RequestInit
}

/** Converts the arguments of `fetch` to a hop. */
export function toHop(input: string | URL | Request, init?: RequestInit): Hop {
  const url = isRequest(input) ? input.url : String(input)
  // A `Request` as options has its members on its prototype, where a spread does not find them.
  if (isRequest(init)) return { url, request: init, init: {} }
  return { url, request: isRequest(input) ? input : undefined, init: init ?? {} }
}

/** Returns how a request treats redirects; `follow` is the default of `fetch`. */
export function redirectModeOf({ request, init }: Hop): RequestRedirect {
  return init.redirect ?? request?.redirect ?? 'follow'
}

function isRequest(value: unknown): value is Request {
  return typeof value === 'object' && value !== null && 'url' in value && 'headers' in value
}
