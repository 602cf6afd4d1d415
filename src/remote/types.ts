import type { Login, LoginOptions } from '../core/http/contract/hooks.ts'
import type { Route } from '../core/http/contract/internals.ts'
import type {
  DropOptions,
  RuleMethod,
  RuleOptions,
  RulePath,
  RuleState,
  FailOptions,
  ReplyOptions,
} from '../core/http/rules/rule.ts'
import type { LogEntry } from '../core/log/log.ts'
import type { NearMiss, NearRoute } from '../core/log/near-misses.ts'
import type { RequestPattern } from '../core/log/request-pattern.ts'
import type { Delay, Duration } from '../core/time/duration.ts'
import type { Instant } from '../core/time/instant.ts'
import type { AnyResource, CollectionDb, DbOf, SingletonDb } from '../core/types/db-types.ts'

/**
 * The mock of a running server, which `connect` returns, with the calls of the library. Each call sends one request
 * and returns a promise, which rejects with the MockError that the local call throws, or with a MockError that says
 * why the mock cannot be reached.
 */
export interface RemoteMock<Data = Record<string, unknown>> {
  /** The data, as in `mock.db`. */
  readonly db: RemoteDb<Data>
  /**
   * Adds a rule for requests of a method and path. The effects of one statement are one rule and one request.
   * @example const rule = await mock.on('GET', '/posts').delay(200).fail(500, { times: 1 })
   */
  on(method: RuleMethod, path: RulePath<Data>): RemoteRuleEffects
  /** Sets data, rules, ids, counters, clock and log back to the start. Without a session, ends all sessions. */
  reset(): Promise<void>
  /** Logs a user in without a page, by id, e-mail or username, and returns the tokens and the cookie of the login. */
  login(user: string | number, options?: LoginOptions): Promise<Login>
  /** Saves the data as a snapshot, which replaces an earlier one of that name. */
  snapshot(name: string): Promise<void>
  /** Restores a snapshot. Rejects with a MockError 404 if there is none of that name. */
  restore(name: string): Promise<void>
  /** The names of the snapshots. */
  snapshots(): Promise<string[]>
  /** Activates a scenario or none (null), and resets the data. Rejects with a MockError 400. */
  scenario(name: string | null): Promise<void>
  /** The active scenario, and the names of all. Rejects with a MockError 404 if the mock has no scenarios. */
  scenarios(): Promise<RemoteScenarios>
  /** The active rules, also those of other clients. */
  readonly rules: RemoteRuleList
  /** A summary: the base, the dialect, the resources, the behaviours, the snapshots and the size of the log. */
  state(): Promise<RemoteState>
  /** The clock of the mock. */
  readonly clock: RemoteClock
  /** The request log of the mock. */
  readonly log: RemoteLog
  /** The route table; reading the property sends the request. */
  readonly routes: Promise<Route[]>
  /** Ends the session: the server forgets its data. */
  end(): Promise<void>
}

/** The resources of a running mock by name. */
export type RemoteDb<Data> = {
  readonly [Name in keyof Data]: RemoteDbOf<Exclude<Data[Name], undefined>>
}

/** The access to a fixture of type `T` in a running mock: the methods of `mock.db`, each with a promise. */
export type RemoteDbOf<T> = unknown extends T
  ? Remote<CollectionDb> & Remote<SingletonDb>
  : T extends AnyResource
    ? Remote<CollectionDb> & Remote<SingletonDb>
    : Remote<DbOf<T>>

/** The same methods, which return promises. */
export type Remote<Methods> = {
  [Name in keyof Methods]: Methods[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Result>
    : never
}

/** The effects of a rule, as of `mock.on` in the library. A body has to be JSON or a text. */
export interface RemoteRuleEffects {
  /** Answers with an error. */
  fail(status: number, options?: RuleOptions & FailOptions): RemoteRule
  /** Answers with a body: a text as it is, anything else as JSON. */
  reply(status: number, body?: unknown, options?: RuleOptions & ReplyOptions): RemoteRule
  /** Drops the connection, which is a network error for the client; with `after`, partway through a body. */
  drop(options?: RuleOptions & DropOptions): RemoteRule
  /** Delays the response by milliseconds, or a range such as `'200-800'`. */
  delay(time: Delay, options?: RuleOptions): RemoteRule
  /** Applies to the next `count` requests and is then removed. */
  times(count: number): RemoteRule
}

/** A rule that is being added: further effects of the same statement, and a promise of the rule. */
export interface RemoteRule extends RemoteRuleEffects, Promise<RemoteRuleHandle> {}

/** A rule of a running mock. */
export interface RemoteRuleHandle {
  /** The number that the log shows. */
  readonly number: number
  /** Removes the rule, unless it has ended. */
  remove(): Promise<void>
}

/** The active rules of a running mock. */
export interface RemoteRuleList {
  /** All rules, the newest first. */
  list(): Promise<RuleState[]>
  /** Removes the rule of a number, or all rules. Resolves to false if no rule has the number. */
  end(number?: number): Promise<boolean>
}

/** The scenarios of a running mock. */
export interface RemoteScenarios {
  /** The name of the active scenario; null for none. */
  active: string | null
  scenarios: string[]
}

/** A summary of a running mock. */
export interface RemoteState {
  base: string
  /** The name of the dialect: `rest`. */
  dialect: string
  resources: RemoteResource[]
  /** The behaviours, and the requests that the control API has for each. */
  behaviours: { name: string; controls: string[]; page?: { title: string; path: string } }[]
  snapshots: string[]
  /** The number of requests in the log. */
  requests: number
}

/** A resource of a running mock. */
export interface RemoteResource {
  name: string
  /** The path with the base: `/api/posts`. */
  path: string
  kind: 'collection' | 'singleton' | 'document'
  /** The number of records of a collection. */
  count: number
  /** The field that holds the ids of a collection. */
  idField?: string
}

/** The clock of a running mock, or of a session. */
export interface RemoteClock {
  /** The time of the mock, in milliseconds since 1970. */
  now(): Promise<number>
  /** Moves the time forward, by milliseconds or a text such as `'5s'`, and runs the timers that become due. */
  advance(time: Duration): Promise<void>
  /** Sets the time: a date such as `'2026-05-01'`, a `Date`, or milliseconds since 1970. */
  set(time: Instant): Promise<void>
}

/** The request log of a running mock. A pattern's `body` has to be JSON; a function is called with every entry. */
export interface RemoteLog {
  /** The last requests, oldest first. */
  all(): Promise<LogEntry[]>
  /** The first request that matches a pattern. */
  find(wanted: Wanted): Promise<LogEntry | undefined>
  /** Every request that matches a pattern. */
  filter(wanted: Wanted): Promise<LogEntry[]>
  /** The number of requests that match a pattern: `mock.log.count('POST /posts')`. */
  count(pattern?: RequestPattern | string): Promise<number>
  /** The requests with the fewest differences from a pattern, without the requests that match. */
  nearMisses(pattern: RequestPattern | string): Promise<NearMiss[]>
  /** The rules and routes with the fewest differences from a request. */
  explain(request: Pick<LogEntry, 'method' | 'url'>): Promise<NearRoute[]>
  /** Empties the log. */
  clear(): Promise<void>
}

/** A pattern of requests, or a function that tests an entry. */
export type Wanted = RequestPattern | string | ((entry: LogEntry) => unknown)
