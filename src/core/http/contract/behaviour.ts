import type { Clock, MovableClock } from '../../time/clock.ts'
import type { CollectionDb } from '../../types/db-types.ts'
import type { Answer } from '../../dialects/contract/dialect.ts'
import type { RecordEdits } from '../../fixtures/record-edits.ts'
import type { Json, JsonRecord } from '../../json/json.ts'
import type { Log, LogEntry, LoggedExchange } from '../../log/log.ts'
import type { MockLog } from '../../log/log-search.ts'
import type { Redactor } from '../../log/redact.ts'
import type { Random } from '../../time/random.ts'
import type { Store } from '../../store/store.ts'
import type { Answerer } from './answerer.ts'
import type { Description } from './description.ts'
import type { AnyMock } from './any-mock.ts'
import type { Exchange, ListHook, Service, ViewHook, WriteHook } from './exchange.ts'
import type { MaybePromise, MockRequest, MockResponse } from './messages.ts'
import type { Limits } from './limits.ts'
import type { ExtraRoute, Route } from '../routing/routes.ts'
import type { Rule, RuleList } from '../rules/rule.ts'

/**
 * A simulated part of a real service, such as logins, delays or rate limits. A factory such as `auth()` creates
 * the behaviour, and the option `use` adds the behaviour to a mock.
 */
export interface Behaviour {
  /** Names the behaviour in messages, in the log and below `/__mock`, and seeds its random numbers. */
  name: string
  /**
   * Creates the hooks of the behaviour in a world. State that requests share belongs in variables of this
   * function, state of a single request in a `createRequestState`.
   */
  create(world: World): Hooks
}

/**
 * The functions that a behaviour adds to a mock, for one mock or fork. All hooks are optional, and an absent
 * hook costs nothing.
 */
export interface Hooks {
  /** Hooks on requests, by stage. */
  at?: Partial<Record<Stage, Hook>>
  /** Changes or refuses list requests. */
  list?: ListHook
  /** Hides or changes records that requests read. */
  view?: ViewHook
  /** A record as events and webhooks show it; undefined if they must not show it. */
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
  /** Rewrites the path and query of a request, both without the base; the mock then handles the result. */
  reroute?(url: string): string
  /** Chooses another mock to answer a request. */
  divert?(request: MockRequest): AnyMock | Answerer | undefined
  /**
   * Describes what the behaviour changes in the API, for types and API documents. It is called for each
   * document, and the description may change between calls.
   */
  describe?(): Description
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

/** A mock or a fork as its behaviours see it: its data, clock and random numbers. Every fork is a world of its own. */
export interface World {
  service: Service
  /** The data, without a request and without the hooks on records. */
  db: Readonly<Record<string, CollectionDb>>
  clock: Clock
  /** Random numbers of this behaviour alone: the same for the same seed. */
  random: Random
  /** Sends a request to another server. */
  send: Send
  /** The log of requests. */
  log: Log
  /** Redacts secrets in the log. A behaviour adds the names of its own secrets. */
  redactor: Redactor
  /** The world that this world was forked from. */
  origin?: World | undefined
  /** The mock of this world; available after `create` has returned. */
  host(): Controlled
  /**
   * Opens a map of this behaviour whose entries outlive the process: the entries of the last process, in order.
   * A value is plain data or bytes, and a changed value is set again. Missing if the mock has no storage.
   */
  stored?: (<Value>(name: string) => Map<string, Value>) | undefined
}

/** Sends a POST to another server; rejects when no response arrives. */
export type Send = (request: {
  url: string
  headers: Record<string, string>
  body: string
}) => MaybePromise<{ status: number; headers?: Record<string, string> }>

/** The functions of a mock for behaviours such as sessions, and for the control API (`/__mock`). */
export interface Controlled extends Answerer {
  /** Every route and its target. */
  readonly routes: Route[]
  /** The last requests, oldest first: an array with `find`, `filter` and `count` by request pattern. */
  readonly log: MockLog
  /** Adds a request to the log that something in front of the mock has answered. */
  addToLog(entry: LogEntry): void
  /** Empties the log. */
  clearLog(): void
  /** Calls the listener after each response. Returns a function that unsubscribes. */
  onRequest(listener: (entry: LogEntry) => void): () => void
  /**
   * Calls the listener after each response, with the secrets of the exchange. For the log of the mock that
   * this mock was forked from. Returns a function that unsubscribes.
   */
  onExchange(listener: (exchange: LoggedExchange) => void): () => void
  /** The requests of the log and their responses, with secrets. For archives. */
  exchanges(): readonly LoggedExchange[]
  /** Redacts secrets in the log. */
  readonly redactor: Redactor
  /** The active rules. */
  readonly rules: RuleList
  on(method: string, path: string): Rule
  /** Restores the initial data, ids, rules, clock, log and state of behaviours. */
  reset(): void
  /** Saves the current data under a name. */
  snapshot(name: string): void
  /** Restores a snapshot. @throws MockError when there is none of that name */
  restore(name: string): void
  /** The names of the snapshots. */
  snapshots(): string[]
  fork(): Controlled
  /** Returns a path and query as the behaviours rewrite them; unchanged if no behaviour rewrites them. */
  reroute(url: string): string
  /** The limits on the size of requests. */
  readonly limits: Limits
  /** Reports an unexpected error; `doing` is what failed. */
  onFailure(error: unknown, doing: string): void
  /** Cancels the timers and writes of a fork that is discarded, and ends its streams. */
  end(): void
  /** Calls back when `end` is called, at once if it was. Returns a function that unsubscribes. */
  onEnd(callback: () => void): () => void
  /** Writes records to their fixture file. Only a mock that was loaded from files has it. For the control. */
  saveFixture?: ((name: string, edits: RecordEdits) => Promise<void>) | undefined
  /** The store, for code that keeps a copy of the data elsewhere. */
  readonly store: Store
  /** The data, without requests. For the control. */
  readonly db: object
  /** The clock, which can be moved. For the control. */
  readonly clock: MovableClock
  /** The data and the settings that all requests share. For types and API documents. */
  readonly service: Service
  /** The configured dialect, if any. For the control. */
  readonly dialect?: { readonly name: string } | undefined
  /** The behaviours of this world. For the control, types and API documents. */
  readonly behaviours: readonly Pick<
    Hooks & Behaviour,
    'name' | 'controls' | 'describe' | 'divert' | 'publish' | 'translate'
  >[]
}
