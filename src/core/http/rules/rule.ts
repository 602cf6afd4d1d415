import type { Delay } from '../../time/duration.ts'
import type { FailOptions, ReplyOptions } from './rule-answers.ts'

/** How long a rule stands. */
export interface RuleOptions {
  /** How many requests it acts on before it is gone. @default Infinity */
  times?: number
}

/**
 * What is to happen to the requests that are meant, instead of or before their usual answer. What is
 * said of one rule goes together: `delay` with an answer is an answer that comes late.
 */
export interface Rule {
  /** Answers with an error of that status. @throws MockError when it is none of 200 to 599 */
  fail(status: number, options?: RuleOptions & FailOptions): Rule
  /**
   * Answers with that body: JSON, or a text, bytes or a stream as they are, or a function that makes one
   * for each request. @throws MockError
   */
  reply(status: number, body?: unknown, options?: RuleOptions & ReplyOptions): Rule
  /** Drops the connection: a network error. */
  drop(options?: RuleOptions): Rule
  /** Waits first: milliseconds, or a range of them such as `'200-800'`. @throws MockError */
  delay(time: Delay, options?: RuleOptions): Rule
  /** Acts on that many requests from now on, and is gone. */
  times(count: number): Rule
  /** Ends it. */
  remove(): void
}

/** A rule that stands, as data. */
export interface RuleState {
  /** By which the log names it. */
  number: number
  /** Which requests it means: `GET /posts/:id`. */
  on: string
  /** What it answers with; 0 for a dropped connection, nothing where it only delays. */
  status?: number
  /** Whether it waits first. */
  isDelayed: boolean
  /** On how many more requests it acts; nothing where there is no end to it. */
  left?: number
}

/** The rules that stand. */
export interface RuleList {
  /** The newest first. */
  list(): RuleState[]
  /** Ends the one of that number, or all; tells whether there was one. */
  end(number?: number): boolean
}

/** A method of a rule: `GET` means HEAD too, `*` and `ANY` every one. */
export type RuleMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'QUERY' | '*' | 'ANY' | Text

/** A path of a rule, below the base: `:name` and `*` stand for a segment, `*` at the end for any rest. */
export type RulePath<Data> =
  | '*'
  | `/${keyof Data & string}`
  | `/${keyof Data & string}/:id`
  | `/${keyof Data & string}/*`
  | Text

/** Any text, without hiding from editors the ones that are known. */
type Text = string & Record<never, never>
