import type { Answer } from '../../dialects/contract/dialect.ts'
import type { Json, JsonRecord } from '../../json/json.ts'

import type { AnyMock } from './any-mock.ts'
import type { Description } from './description.ts'
import type { Exchange, ListHook, LoginTokens, ViewHook, WriteHook } from './exchange.ts'
import type { MaybePromise, MockRequest, MockResponse } from './messages.ts'

/** The functions that a behaviour adds to one mock or fork. All are optional; an absent hook costs nothing. */
export interface Hooks {
  /** Hooks on requests, by stage. */
  at?: Partial<Record<Stage, Hook>>
  /** Changes or refuses list requests. */
  list?: ListHook
  /** Hides or changes records that requests read. */
  view?: ViewHook
  /** A record as webhooks send it; undefined if no webhook may send it. Event streams use views. */
  publish?(collection: string, record: JsonRecord): JsonRecord | undefined
  /** Renames the fields of a published record; runs last, as the other hooks use the stored names. */
  translate?(collection: string, record: JsonRecord): JsonRecord
  /** Removes fields from records to be written, before other hooks add fields. */
  beforeWrite?: WriteHook
  /** Changes records to be written. */
  write?: WriteHook
  /** Checks records to be written, after every `write` hook has run. */
  check?: WriteHook
  /** Routes besides those of the resources. */
  routes?: readonly ExtraRoute[]
  /** Endpoints below `/__mock/<name>`, by method and path: `{ 'PUT mode': (input) => … }`. */
  controls?: Readonly<Record<string, (input: Json) => MaybePromise<Json>>>
  /** Rewrites the path and query of a request of any or one method, without the base; the mock handles the result. */
  reroute?(url: string, method?: string): string
  /** Chooses another mock to answer a request. */
  divert?(request: MockRequest): AnyMock | undefined
  /** What the behaviour changes in the API; called for each document, as it may change between calls. */
  describe?(): Description
  /** Logs a user in without a request, for tests. @throws MockError when there is no such user or client */
  login?(user: string | number, options: LoginOptions): Promise<Login>
  /** A page for people, to which the studio links; the path has the base. */
  page?: { title: string; path: string }
  /** State that a page stores with its data (`persist`), such as logins: maps of JSON values, by name. */
  saved?: Readonly<Record<string, Map<string, unknown>>>
  /** Restores the initial state. */
  reset?(): void
  /** Cancels timers and streams when the world is discarded. */
  end?(): void
}

/**
 * Runs for a request at a stage. A returned response is sent as it is, a returned `Answer` is sent as JSON, and
 * a thrown MockError becomes an error response. `onLeave` registers a function for the response of the later
 * stages.
 */
export type Hook = (exchange: Exchange) => MaybePromise<MockResponse | Answer | undefined | void>

/**
 * The stages at which the hooks of behaviours run for a request, in order. CORS preflights are answered
 * before the first stage; the target of the path is looked up before `auth`. Once a hook returns a
 * response, later stages do not run.
 */
export const stages = [
  'entry',
  'network',
  'quota',
  'fault',
  'auth',
  'body',
  'replay',
  'resource',
] as const

/** One of the {@link stages}. */
export type Stage = (typeof stages)[number]

/** The hooks of a behaviour, with its name. */
export type NamedHooks = Hooks & { name: string }

/** A route that belongs to no resource; its path is below the base. */
export interface ExtraRoute {
  methods: readonly string[]
  /** `/login`, `/orders/:id/ship` */
  path: string
  /** Whether GET of the path can open a socket. */
  sockets?: boolean
}

/** Chooses the mock that answers a request, or whose `owns` is called; undefined for this mock. */
export type ForkChooser = (request?: MockRequest) => AnyMock | undefined

/** The options of `mock.login`. */
export interface LoginOptions {
  /** The client for which the tokens are. @default the first of the option `clients`, else 'mock' */
  client?: string
  /** @default 'openid profile email' */
  scope?: string
  audience?: string
  nonce?: string
  /** The origin of the server, in the claim `iss`. @default 'http://localhost', over HTTP that of the server */
  origin?: string
}

/** The tokens of `mock.login`, and the cookie that keeps a browser logged in at the mock. */
export interface Login extends Omit<LoginTokens, 'refresh_token'> {
  refresh_token?: string
  id_token?: string
  scope: string
  cookie: { name: string; value: string }
}
