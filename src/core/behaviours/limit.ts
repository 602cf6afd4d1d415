import {
  checkOptions,
  isAmount,
  isCallable,
  isCount,
  isEither,
  isListOf,
  isOneOf,
  isText,
} from '../check.ts'
import { type Duration, toMilliseconds } from '../duration.ts'
import { MockError } from '../errors.ts'
import type { Behaviour } from '../http/behaviour.ts'
import { type Exchange, onLeave } from '../http/exchange.ts'
import type { HeaderList, MockRequest } from '../http/messages.ts'
import { isMeant, parsePattern } from '../pattern.ts'
import { type Algorithm, algorithms, type Quota } from './limit-algorithms.ts'

/** How many requests are answered in a time. */
export interface LimitOptions {
  /** How many are answered in a window. */
  requests: number
  /** The length of a window. */
  per: Duration
  /** How the requests are counted. @default 'fixed' */
  algorithm?: Algorithm
  /** Whose requests are counted together: a header's name, or what the function gives. @default all */
  by?: string | ((request: MockRequest) => string)
  /** Only requests that one of these patterns means. @default all */
  only?: readonly string[]
  /** The name of the policy in `RateLimit`. @default 'default' */
  name?: string
}

/** How many callers are told apart; past that the one that came first is forgotten. */
const mostCallers = 10_000

/**
 * Limits the rate of requests: 429 with `Retry-After` past the limit, and on every answer the fields
 * `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-11).
 * @throws MockError when an option is wrong
 * @example limit({ requests: 100, per: '1m' })
 */
export function limit(options: LimitOptions): Behaviour {
  checkOptions(
    'the options of limit',
    options,
    {
      requests: isCount,
      per: isEither(isAmount, isText),
      algorithm: isOneOf(...Object.keys(algorithms)),
      by: isEither(isText, isCallable),
      only: isListOf(isText),
      name: isText,
    },
    ['requests', 'per'],
  )
  const { requests, per, algorithm = 'fixed', by, only = ['*'], name = 'default' } = options
  const window = toMilliseconds(per)
  const patterns = only.map(parsePattern)
  const callerOf = toCaller(by)
  const policy = `"${name}";q=${requests};w=${Math.ceil(window / 1000)}`
  return {
    name: 'limit',
    create({ clock, service }) {
      const quotas = new Map<string, Quota>()
      const quotaOf = (caller: string): Quota => {
        const known = quotas.get(caller)
        if (known) return known
        const [oldest] = quotas.keys()
        if (quotas.size >= mostCallers && oldest !== undefined) quotas.delete(oldest)
        const quota = algorithms[algorithm](requests, window)
        quotas.set(caller, quota)
        return quota
      }
      return {
        at: {
          quota(exchange) {
            const below = exchange.path.slice(service.base.length)
            if (!patterns.some((one) => isMeant(one, exchange.method, below))) return
            const { isAllowed, remaining, reset } = quotaOf(callerOf(exchange.request)).take(
              clock.now(),
            )
            const seconds = Math.ceil(reset / 1000)
            const fields: HeaderList = [
              ['RateLimit-Policy', policy],
              ['RateLimit', `"${name}";r=${remaining};t=${seconds}`],
            ]
            addHeaders(exchange, fields)
            if (!isAllowed) throw tooMany(name, requests, window, seconds)
          },
        },
        reset: () => quotas.clear(),
      }
    },
  }
}

function toCaller(by: LimitOptions['by']): (request: MockRequest) => string {
  if (typeof by === 'function') return by
  const header = by?.toLowerCase()
  return header === undefined ? () => '' : ({ headers }) => headers[header] ?? ''
}

function addHeaders(exchange: Exchange, headers: HeaderList): void {
  onLeave(exchange, (response) => ({ ...response, headers: [...response.headers, ...headers] }))
}

function tooMany(name: string, requests: number, window: number, seconds: number): MockError {
  return new MockError(
    `Failed to answer: the limit of ${requests} requests in ${window / 1000} s is reached. Please try again in ${seconds} s.`,
    {
      status: 429,
      code: 'QUOTA_EXCEEDED',
      headers: [['Retry-After', String(seconds)]],
      extensions: {
        type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
        'violated-policies': [name],
      },
    },
  )
}
