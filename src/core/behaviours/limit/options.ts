import {
  type Check,
  checkOptions,
  isCallable,
  isCount,
  isEither,
  isHeaderName,
  isListOf,
  isObject,
  isOneOf,
  isText,
  wrong,
} from '../../errors/check.ts'
import { type Duration, isDuration, isSpan, toMilliseconds } from '../../time/duration.ts'
import type { MockRequest } from '../../http/contract/messages.ts'
import { type Algorithm, algorithms, type Rate } from './rate-limits.ts'

/** The options of `limit`, the behaviour that limits request rate, page size and response time. */
export interface LimitOptions {
  /** The number of requests that are allowed in a window. */
  requests?: number
  /** The length of a window. */
  per?: Duration
  /** The rate limiting algorithm. @default 'fixed' */
  algorithm?: Algorithm
  /**
   * Counts requests by the value of a header, or by the result of a function, which may be a promise.
   * @default all together
   */
  by?: string | ((request: MockRequest) => string | Promise<string>)
  /** The largest number of records in a page. A longer list without paging is split into pages. */
  page?: number | PageLimit
  /** How long a response may take. */
  timeout?: Duration | Timeout
  /** Patterns of the limited requests: `POST *`, `orders`. @default all requests */
  only?: readonly string[]
  /** The name of the policy in `RateLimit`. @default 'default', then 'default-2' for the second limit */
  name?: string
}

/** The limit of the page size. */
export interface PageLimit {
  /** The largest number of records in a page. */
  max: number
  /** Whether a request for a larger page gets `max` records or 400. @default 'reduce' */
  over?: 'reduce' | 'refuse'
}

/** The limit of the response time. */
export interface Timeout {
  /** How long a response may take. */
  after: Duration
  /** The status after a timeout; 503 adds `Retry-After`. @default 504 */
  status?: 503 | 504
}

/** The options of `limit` with their defaults; undefined for a limit that is not set. */
export interface LimitSettings {
  rate: Rate | undefined
  by: LimitOptions['by']
  page: Required<PageLimit> | undefined
  timeout: { milliseconds: number; status: 503 | 504 } | undefined
  only: readonly string[]
}

const subject = 'the options of "limit"'

/** A count that `RateLimit-Policy` can contain, as an integer of RFC 9651 §3.3.1. */
const isRequests: Check = [
  (value) => isCount[0](value) && (value as number) < 1e15,
  'a whole number from 1 to 999999999999999',
]

/** A name that `RateLimit` can contain, as a string of RFC 9651 §3.3.3. */
const isPolicyName: Check = [
  (value) => typeof value === 'string' && /^[\x20-\x7E]+$/.test(value),
  'a name of printable ASCII characters',
]

const checks: Readonly<Record<keyof LimitOptions, Check>> = {
  requests: isRequests,
  per: isSpan,
  algorithm: isOneOf(...Object.keys(algorithms)),
  by: isEither(isHeaderName, isCallable),
  page: isEither(isCount, isObject),
  timeout: isEither(isDuration, isObject),
  only: isListOf(isText),
  name: isPolicyName,
}

/** Fills in the defaults of `limit`. @throws MockError for a wrong option, or without a limit */
export function toLimitSettings(options: LimitOptions): LimitSettings {
  checkOptions(subject, options, checks)
  const { requests, per, page, timeout, only = ['*'] } = options
  if (requests !== undefined || per !== undefined) {
    checkOptions(subject, options, checks, ['requests', 'per'])
  } else if (page === undefined && timeout === undefined) {
    throw wrong(subject, 'no limit is set. Please give "requests" and "per", "page" or "timeout".')
  }
  return {
    rate: toRate(options),
    by: options.by,
    page: page === undefined ? undefined : toPage(page),
    timeout: timeout === undefined ? undefined : toTimeout(timeout),
    only,
  }
}

function toRate({ requests, per, algorithm = 'fixed', name }: LimitOptions): Rate | undefined {
  if (requests === undefined || per === undefined) return undefined
  return { requests, window: toMilliseconds(per), algorithm, name }
}

function toPage(given: number | PageLimit): Required<PageLimit> {
  const page: PageLimit = typeof given === 'number' ? { max: given } : given
  const isOver = isOneOf('reduce', 'refuse')
  checkOptions(`${subject}, "page"`, page, { max: isCount, over: isOver }, ['max'])
  const { max, over = 'reduce' } = page
  return { max, over }
}

function toTimeout(given: Duration | Timeout): NonNullable<LimitSettings['timeout']> {
  const timeout = typeof given === 'object' ? given : { after: given }
  const isStatus: Check = [(value) => value === 503 || value === 504, '503 or 504']
  checkOptions(`${subject}, "timeout"`, timeout, { after: isDuration, status: isStatus }, ['after'])
  return { milliseconds: toMilliseconds(timeout.after), status: timeout.status ?? 504 }
}
