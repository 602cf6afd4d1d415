import { subscribe } from 'node:diagnostics_channel'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { cookiesOf } from '../core/text/cookies.ts'
import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Returns the session of the page request that the calling code runs for; undefined without a session. A
 * session is a fork of the mock with its own data, such as for one test. The function is for clients that do
 * not use `fetch`, whose requests `redirect` does not see.
 * @example axios.get(`${process.env.MOCK_URL}/posts`, { headers: { 'X-Mock-Session': currentSession() } })
 */
export function currentSession(): string | undefined {
  return state.redirection && state.sessions.getStore()
}

/**
 * Runs a function for a page request: requests that the function sends get the session of the page request. The
 * function is for servers other than `node:http` over HTTP/1.1, whose requests `redirect` does not see.
 * @example
 * // src/hooks.server.ts of SvelteKit
 * export const handle = ({ event, resolve }) => withSession(event.request, () => resolve(event))
 */
export function withSession<Result>(request: PageRequest, run: () => Result): Result {
  return state.sessions.run(sessionOf(request), run)
}

/** A page request: of `node:http`, or a WHATWG `Request`. */
export interface PageRequest {
  headers: Headers | IncomingHttpHeaders
}

/** Enters the session of every request to a `node:http` server, which Node publishes to a diagnostics channel. */
export function observeServers(): void {
  subscribe('http.server.request.start', (message) => {
    const { request, response } = message as Exchange
    const session = sessionOf(request)
    // A request without a session enters `undefined`, as requests of a connection share their context.
    state.sessions.enterWith(session)
    if (session === undefined) return
    // Since Node 24, the events of a body have the context in which the connection was opened.
    for (const stream of [request, response]) {
      const emit = stream.emit.bind(stream) as (...event: unknown[]) => boolean
      stream.emit = (...event: unknown[]) => state.sessions.run(session, () => emit(...event))
    }
  })
}

/** The message that Node publishes to the channel. */
interface Exchange {
  request: IncomingMessage
  response: ServerResponse
}

function sessionOf({ headers }: PageRequest): string | undefined {
  if (!state.redirection) return undefined
  const { header, cookie } = state.redirection
  const read = (name: string): string | undefined =>
    headers instanceof Headers ? (headers.get(name) ?? undefined) : headers[name]?.toString()
  return read(header)?.trim() || cookiesOf(read('cookie'), cookie)[0] || undefined
}

const key = Symbol.for('fixtura.ssr')

/**
 * The state of the redirection of server-side requests to the mock. A framework can bundle this module several
 * times, for example for the start of its server and for its pages; all copies in a process share the state, a
 * property of the global object.
 */
export const state: State = ((globalThis as { [key]?: State })[key] ??= {
  sessions: new AsyncLocalStorage(),
  redirection: undefined,
  isInstalled: false,
})

/** The state that all copies of this module share. */
interface State {
  /** The session of the page request that the current code runs for; undefined without a session. */
  readonly sessions: AsyncLocalStorage<string | undefined>
  /** Undefined before `redirect` is called, and after its end. */
  redirection: Redirection | undefined
  /** Whether the servers and `fetch` of the process are observed; `redirect` does so once. */
  isInstalled: boolean
}

/** The configuration by the last call of `redirect`. */
interface Redirection {
  targets: readonly RedirectTarget[]
  /** The header that names a session, in lower case. */
  header: string
  /** The cookie that names a session if the header is missing. */
  cookie: string
}

/** The base URL of an API, and the base URL of the mock that requests of the API go to. */
export interface RedirectTarget {
  from: URL
  to: URL
}
