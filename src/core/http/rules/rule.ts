import type { Delay } from '../../time/duration.ts'

/**
 * A rule that `mock.on` adds for matching requests. Its effects combine: `delay` with `fail`, `reply` or `drop`
 * delays that response; `delay` alone delays the usual response.
 * @example mock.on('GET', '/posts/:id').delay(200).fail(500, { times: 1 })
 */
export interface Rule {
  /** Answers with an error. @throws MockError when the status is not between 200 and 599 */
  fail(status: number, options?: RuleOptions & FailOptions): Rule
  /**
   * Answers with a body: a value that is sent as JSON; a string, bytes or a stream that is sent as it
   * is; or a function that makes one of these for each request. @throws MockError
   */
  reply(status: number, body?: unknown, options?: RuleOptions & ReplyOptions): Rule
  /**
   * Drops the connection, which is a network error for the client; with `after`, partway through the body of an upload
   * or a download. @throws MockError
   * @example mock.on('PUT', '/users/:id/avatar').drop({ after: '50%' })
   */
  drop(options?: RuleOptions & DropOptions): Rule
  /** Delays the response by milliseconds, or a range such as `'200-800'`. @throws MockError */
  delay(time: Delay, options?: RuleOptions): Rule
  /** Applies to the next `count` requests and is then removed. */
  times(count: number): Rule
  /** Removes the rule. */
  remove(): void
}

/** The options of each effect of a rule (`fail`, `reply`, `drop` or `delay`). */
export interface RuleOptions {
  /** The number of requests that the rule applies to before it is removed. @default Infinity */
  times?: number
}

/** The options of `reply` and `fail` of a rule. */
export interface ReplyOptions {
  /** Headers, which replace default headers of the same name. */
  headers?: Readonly<Record<string, string>>
}

/** The options of `drop` of a rule. */
export interface DropOptions {
  /** The share of the body, `'50%'`, or the number of bytes after which the connection breaks. @default before the request is read */
  after?: string | number
}

/** The options of `fail` of a rule. */
export interface FailOptions extends ReplyOptions {
  /** A body in place of the dialect's error, of any kind that `reply` accepts. */
  body?: unknown
}

/** An active rule as data. */
export interface RuleState {
  /** The number that the log shows. */
  number: number
  /** The pattern of matching requests: `GET /posts/:id`. */
  on: string
  /** The status of the response; 0 for a dropped connection, undefined for a rule that only delays. */
  status?: number
  /** The share of the body, or the number of bytes, after which the connection breaks. */
  after?: string | number
  /** Whether the rule delays responses. */
  isDelayed: boolean
  /** The number of requests that the rule still applies to; undefined for no limit. */
  left?: number
  /** Whether the rule is switched off, so that it applies to no request. */
  isOff?: true
}

/** The active rules. */
export interface RuleList {
  /** All rules, the newest first. */
  list(): RuleState[]
  /** Removes the rule of a number, or all rules; returns whether any was removed. */
  end(number?: number): boolean
  /** Switches the rule of a number on or off; returns whether there is one. */
  switch(number: number, isOn: boolean): boolean
}

/** A method of a rule: `GET` matches HEAD and QUERY too, `*` and `ANY` match every method. */
export type RuleMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'QUERY' | '*' | 'ANY' | Text

/** A path of a rule, below the base: `:name` and `*` match one segment, `*` at the end matches any rest. */
export type RulePath<Data> =
  | '*'
  | `/${keyof Data & string}`
  | `/${keyof Data & string}/:id`
  | `/${keyof Data & string}/*`
  | Text

/** Any string; written so that editors still suggest the known ones. */
type Text = string & Record<never, never>
