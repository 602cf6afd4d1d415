import {
  type Check,
  checkOptions,
  describeWrong,
  isCookieName,
  isFlag,
  isHeaderName,
  isObject,
  wrong,
  wrongValue,
} from '../core/errors/check.ts'
import { sessionCookie, sessionHeader } from '../core/text/session-name.ts'
import { observeServers, type RedirectTarget, state } from './page-session.ts'

/**
 * Redirects the requests of the server-side code of an application to a running mock, with the session of the
 * page request that caused them. The keys are the URLs of the APIs, the values the URLs of the mock; a key with
 * an undefined or empty value has no effect. A second call replaces the first.
 * @returns a function that ends the redirection
 * @throws MockError when a URL or an option is wrong
 * @example redirect({ 'https://api.example.com': process.env.MOCK_URL })
 */
export function redirect(
  urls: Readonly<Record<string, string | undefined>>,
  options: RedirectOptions = {},
): () => void {
  if (!isObject[0](urls)) throw wrongValue('the URLs of redirect', urls, isObject[1])
  checkOptions('the options of redirect', options, optionChecks)
  const { production = false, header = sessionHeader, cookie = sessionCookie } = options
  const targets = toTargets(urls)
  state.redirection = undefined
  if (targets.length === 0) return () => {}
  if (process.env['NODE_ENV'] === 'production' && !production) {
    console.warn(
      'Fixtura does not redirect requests to the mock: NODE_ENV is "production". To test a production build, please call redirect(urls, { production: true }).',
    )
    return () => {}
  }
  const redirection = { targets, header: header.toLowerCase(), cookie }
  state.redirection = redirection
  if (!state.isInstalled) {
    state.isInstalled = true
    observeServers()
    redirectFetch()
  }
  return () => {
    if (state.redirection === redirection) state.redirection = undefined
  }
}

/** The options of {@link redirect}. */
export interface RedirectOptions {
  /** Whether requests are redirected if `NODE_ENV` is `production`, as in a test of the build. @default false */
  production?: boolean
  /** The header that names a session, as in the options of `sessions`. @default 'X-Mock-Session' */
  header?: string
  /** The cookie that names a session if the header is missing. @default 'mock-session' */
  cookie?: string
}

const optionChecks: Readonly<Record<keyof RedirectOptions, Check>> = {
  production: isFlag,
  header: isHeaderName,
  cookie: isCookieName,
}

/** Parses the URLs. The longest paths come first, so that the most specific URL applies. */
function toTargets(urls: Readonly<Record<string, string | undefined>>): RedirectTarget[] {
  const targets = Object.entries(urls).flatMap(([from, to]) =>
    to === undefined || to === '' ? [] : [{ from: toUrl(from, from), to: toUrl(from, to) }],
  )
  return targets.sort((a, b) => b.from.pathname.length - a.from.pathname.length)
}

function toUrl(name: string, text: unknown): URL {
  const url = URL.canParse(String(text)) ? new URL(String(text)) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  throw wrong(
    'the URLs of redirect',
    describeWrong(name, text, 'a URL such as http://localhost:3000'),
  )
}

type Fetch = typeof globalThis.fetch

/**
 * Makes the global `fetch` send requests for the APIs that `redirect` names to the mock. If a framework replaces
 * `fetch`, for example by a function that caches, that function is wrapped too: its requests have the header of the
 * session, so that its cache separates sessions.
 */
function redirectFetch(): void {
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

/**
 * Sends a request to the mock, and follows redirects as `fetch` does (Fetch Standard §4.4, HTTP-redirect
 * fetch), except that each `Location` that names an API of the application leads to the mock. `fetch` itself
 * would follow such a `Location` to the API.
 * @throws TypeError as `fetch`: after 20 redirects, or if the body is a stream, which is already sent
 */
async function followLocations(fetch: typeof globalThis.fetch, first: Hop): Promise<Response> {
  const copy = first.request?.body ? first.request.clone() : undefined
  let hop: Hop = { ...first, init: { ...first.init, redirect: 'manual' } }
  let { origin } = new URL(hop.url)
  for (let count = 0; count <= maxRedirects; count++) {
    const [target, init] = toMock(hop)
    const response = await fetch(target, init)
    const location = redirects.has(response.status) ? response.headers.get('location') : null
    if (location === null) return count === 0 ? response : asRedirected(response)
    // Not awaited: the promise would wait for the copy that a framework may keep of the response.
    response.body?.cancel().catch(() => {})
    const base = new URL(typeof target === 'string' ? target : target.url)
    const next = new URL(location, base)
    if (!/^https?:$/.test(next.protocol)) throw failure('URL scheme must be a HTTP(S) scheme')
    hop = await toNextHop(hop, next.href, response.status, copy)
    // A URL at the mock stands for the API that the mock replaces.
    if (next.origin !== base.origin && next.origin !== origin) {
      for (const name of credentialHeaders) (hop.init.headers as Headers).delete(name)
    }
    if (next.origin !== base.origin) ({ origin } = next)
  }
  throw failure('redirect count exceeded')
}

const maxRedirects = 20
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const bodyHeaders = [
  'content-encoding',
  'content-language',
  'content-length',
  'content-location',
  'content-type',
]
const credentialHeaders = ['authorization', 'proxy-authorization', 'cookie', 'host']

/** Returns the request that a redirect leads to, which depends on the status. */
async function toNextHop(
  { request, init }: Hop,
  url: string,
  status: number,
  copy: Request | undefined,
): Promise<Hop> {
  const method = init.method ?? request?.method ?? 'GET'
  const headers = new Headers(init.headers ?? request?.headers)
  const signal = init.signal ?? request?.signal ?? null
  const next = { ...init, method, headers, signal }
  const isGet = /^(?:get|head)$/i.test(method)
  if (status === 303 ? !isGet : status < 303 && /^post$/i.test(method)) {
    for (const name of bodyHeaders) headers.delete(name)
    return { url, request: undefined, init: { ...next, method: 'GET', body: null } }
  }
  if (isStream(init.body)) throw failure('the body is a stream, which is already sent')
  const body = init.body ?? (request && (await copy?.arrayBuffer())) ?? null
  return { url, request: undefined, init: { ...next, body } }
}

function isStream(body: unknown): boolean {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body
}

/** Marks the response of a redirected request, which `fetch` does not: it gets a new request for each redirect. */
function asRedirected(response: Response): Response {
  return Object.defineProperty(response, 'redirected', { value: true })
}

function failure(reason: string): TypeError {
  return new TypeError('fetch failed', { cause: new Error(reason) })
}

/** Returns the arguments of `fetch`: with the URL at the mock and the session's header if the request goes to the mock. */
function toMock({ url, request, init }: Hop): [Request | string, RequestInit] {
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

/** Returns the URL at the mock for a URL that `redirect` names or that is at a mock; undefined for any other. */
function toMockAddress(address: string): string | undefined {
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

/** A call of `fetch` in server-side code, or its next request after a redirect, before it is sent to the mock. */
interface Hop {
  url: string
  /** The `Request` that supplies the members that `init` does not have. */
  request: Request | undefined
  init: RequestInit
}

/** Converts the arguments of `fetch` to a hop. */
function toHop(input: string | URL | Request, init?: RequestInit): Hop {
  const url = isRequest(input) ? input.url : String(input)
  // A `Request` as options has its members on its prototype, where a spread does not find them.
  if (isRequest(init)) return { url, request: init, init: {} }
  return { url, request: isRequest(input) ? input : undefined, init: init ?? {} }
}

/** Returns how a request treats redirects; `follow` is the default of `fetch`. */
function redirectModeOf({ request, init }: Hop): RequestRedirect {
  return init.redirect ?? request?.redirect ?? 'follow'
}

function isRequest(value: unknown): value is Request {
  return typeof value === 'object' && value !== null && 'url' in value && 'headers' in value
}
