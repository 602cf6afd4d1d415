import {
  type Check,
  checkOptions,
  isCallable,
  isCount,
  isEither,
  isListOf,
  isObject,
  isOneOf,
  isText,
  wrong,
} from '../../errors/check.ts'
import { type Duration, isDuration, isSpan, toMilliseconds } from '../../time/duration.ts'
import type { MockRequest } from '../../http/contract/messages.ts'
import { type Algorithm, algorithms } from './algorithms.ts'

/** How much is answered: how many requests in a time, how large a page, how long it may take. */
export interface LimitOptions {
  /** How many are answered in a window. */
  requests?: number
  /** The length of a window. */
  per?: Duration
  /** How the requests are counted. @default 'fixed' */
  algorithm?: Algorithm
  /** Whose requests are counted together: a header's name, or what the function gives. @default all */
  by?: string | ((request: MockRequest) => string)
  /** The most records of a page, which a list becomes that asks for none. */
  page?: number | PageLimit
  /** How long an answer may take. */
  timeout?: Duration | Timeout
  /** Only requests that one of these patterns means. @default all */
  only?: readonly string[]
  /** The name of the policy in `RateLimit`. @default 'default' */
  name?: string
}

/** How large pages may be. */
export interface PageLimit {
  max: number
  /** What becomes of a request for more: it gets the most there is, or 400. @default 'reduce' */
  over?: 'reduce' | 'refuse'
}

/** How long an answer may take. */
export interface Timeout {
  after: Duration
  /** What answers in its place; 503 says when to try again. @default 504 */
  status?: 503 | 504
}

/** The options with their defaults; nothing for what is not limited. */
export interface LimitSettings {
  rate: Rate | undefined
  page: Required<PageLimit> | undefined
  timeout: { milliseconds: number; status: 503 | 504 } | undefined
  only: readonly string[]
}

/** How many requests are answered in a time. */
export interface Rate extends Required<Pick<LimitOptions, 'requests' | 'algorithm' | 'name'>> {
  /** Milliseconds. */
  window: number
  by: LimitOptions['by']
}

const subject = 'the options of "limit"'

const checks: Readonly<Record<keyof LimitOptions, Check>> = {
  requests: isCount,
  per: isSpan,
  algorithm: isOneOf(...Object.keys(algorithms)),
  by: isEither(isText, isCallable),
  page: isEither(isCount, isObject),
  timeout: isEither(isDuration, isObject),
  only: isListOf(isText),
  name: isText,
}

/**
 * Reads the options.
 * @throws MockError when one is wrong, or they limit nothing
 */
export function toLimitSettings(options: LimitOptions): LimitSettings {
  checkOptions(subject, options, checks)
  const { requests, per, page, timeout, only = ['*'] } = options
  if (requests !== undefined || per !== undefined) {
    checkOptions(subject, options, checks, ['requests', 'per'])
  } else if (page === undefined && timeout === undefined) {
    throw wrong(
      subject,
      'it limits nothing. Please give "requests" and "per", "page" or "timeout".',
    )
  }
  return {
    rate: toRate(options),
    page: page === undefined ? undefined : toPage(page),
    timeout: timeout === undefined ? undefined : toTimeout(timeout),
    only,
  }
}

function toRate({
  requests,
  per,
  algorithm = 'fixed',
  by,
  name = 'default',
}: LimitOptions): Rate | undefined {
  if (requests === undefined || per === undefined) return undefined
  return { requests, window: toMilliseconds(per), algorithm, by, name }
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
