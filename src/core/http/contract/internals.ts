import type { MaybePromise, MockResponse } from './messages.ts'
import type { Target } from '../routing/target.ts'
import { wrongValue } from '../../errors/check.ts'
import type { Diagnostic } from '../../fixtures/source.ts'
import type { FixtureSource } from '../../fixtures/fixtures.ts'
import type { RecordEdits } from '../../fixtures/record-edits.ts'
import type { LogEntry, LoggedExchange } from '../../log/log.ts'
import type { MockLog } from '../../log/log-search.ts'
import type { Redactor } from '../../log/redact.ts'
import type { Store } from '../../store/store.ts'
import type { MovableClock } from '../../time/clock.ts'

import type { Rule, RuleList } from '../rules/rule.ts'
import { type AnyMock, brand } from './any-mock.ts'
import type { Answerer } from './answerer.ts'
import type { ForkChooser, Login, LoginOptions, NamedHooks } from './hooks.ts'
import type { Limits } from './limits.ts'
import type { Service } from './service.ts'

/** What faces need and users do not see. `subject` names it in messages. @throws MockError for any other value */
export function internalsOf(mock: AnyMock, subject = 'the mock'): MockInternals {
  if (isInternals(mock)) return mock
  throw wrongValue(subject, mock, 'a mock from createMock or loadMock')
}

function isInternals(mock: unknown): mock is MockInternals {
  return typeof mock === 'object' && mock !== null && brand in mock
}

/** All functions of a mock: those for users, and those for faces, behaviours and the control API. */
export interface MockInternals extends Answerer, AnyMock {
  /** Every route and its target. */
  readonly routes: Route[]
  /** The last requests, oldest first: an array with `find`, `filter` and `count` by request pattern. */
  readonly log: MockLog
  /** Adds a request to the log that something in front of the mock has answered. */
  addToLog(entry: LogEntry): void
  clearLog(): void
  /** Calls the listener after each response. Returns a function that unsubscribes. */
  onRequest(listener: (entry: LogEntry) => void): () => void
  /** Reports each exchange, with secrets, to the log of the mock that was forked. Returns a function that stops. */
  onExchange(listener: (exchange: LoggedExchange) => void): () => void
  /** The requests of the log and their responses, with secrets. For archives. */
  exchanges(): readonly LoggedExchange[]
  readonly redactor: Redactor
  readonly rules: RuleList
  on(method: string, path: string): Rule
  /** Restores the initial data, ids, rules, clock, log and state of behaviours. */
  reset(): void
  snapshot(name: string): void
  /** Restores a snapshot. @throws MockError when there is none of that name */
  restore(name: string): void
  snapshots(): string[]
  /** The data of a snapshot, to compare. @throws MockError when there is none of that name */
  snapshotStore(name: string): Store
  /** Removes a snapshot. For the control. */
  removeSnapshot(name: string): void
  fork(): MockInternals
  /** Returns a path and query as the behaviours rewrite them; unchanged if no behaviour rewrites them. */
  reroute(url: string, method?: string): string
  readonly limits: Limits
  /** Reports an unexpected error; `doing` is what failed. */
  onFailure(error: unknown, doing: string): void
  /** Sends requests to the mock that the function chooses. Returns a function that stops this. */
  divert(choose: ForkChooser): () => void
  /** Takes over every further change of a source of fixtures. Returns a function that stops this. */
  follow(source: FixtureSource): () => void
  /** Delays a response until its writes are persisted; if they cannot be, drops the connection. */
  afterPersisted(answered: MaybePromise<MockResponse>): MaybePromise<MockResponse>
  /** Logs a user in without a page. Rejects with a MockError if there is no such user, or nothing to log in at. */
  login(user: string | number, options?: LoginOptions): Promise<Login>
  /** Cancels the timers and writes of a fork that is discarded, and ends its streams. */
  end(): void
  /** Calls back when `end` is called, at once if it was. Returns a function that unsubscribes. */
  onEnd(callback: () => void): () => void
  /** Writes records to their fixture file. Only a mock that was loaded from files has it. For the control. */
  saveFixture?: ((name: string, edits: RecordEdits) => Promise<void>) | undefined
  /** The problems of the fixture files. Only a mock that was loaded from files has them. For the control. */
  problems?: FileProblems | undefined
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
  readonly behaviours: readonly NamedHooks[]
}

/** The problems of fixture files. */
export interface FileProblems {
  /** All problems that the files have now. */
  list(): readonly Diagnostic[]
  /** Calls the listener after each change of the files. Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void
}

/** A row of the route table: a path, its methods, and the resource or behaviour that handles its requests. */
export interface Route {
  /** `/posts`, `/posts/:id`, `/posts/:postId/comments` */
  path: string
  methods: string[]
  /** The name of the resource or of the behaviour that answers. */
  resource: string
  kind: Target['kind'] | 'custom'
  /** The number of records in a collection. */
  count: number
  /** The collection of the parent in a nested path: `posts` in `/posts/:postId/comments`. */
  parent?: string
  /** Whether GET of the path can open a socket. */
  sockets?: boolean
}

/** Whether a route is that of a resource itself: not of its records, of children or of a behaviour. */
export function isResourceRoute({ kind, parent }: Pick<Route, 'kind' | 'parent'>): boolean {
  return kind !== 'member' && kind !== 'custom' && parent === undefined
}
