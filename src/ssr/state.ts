import { AsyncLocalStorage } from 'node:async_hooks'

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
export interface Redirection {
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
