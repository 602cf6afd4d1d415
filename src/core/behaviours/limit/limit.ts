import { wrong } from '../../errors/check.ts'
import { MockError } from '../../errors/mock-error.ts'
import type { Behaviour } from '../../http/contract/behaviour.ts'
import { type Exchange, onLeave } from '../../http/contract/exchange.ts'
import type { HeaderList, MockRequest } from '../../http/contract/messages.ts'
import { createRequestState } from '../../http/contract/request-state.ts'
import { matches } from '../../http/routing/matcher.ts'
import { parsePattern } from '../../url/pattern.ts'
import { algorithms, type Quota } from './algorithms.ts'
import { type LimitOptions, type Rate, toLimitSettings } from './options.ts'
import { capPage } from './cap-page.ts'
import { finishLate, respondInTime } from './response-timeout.ts'
import { checkPatterns } from '../shared/resources.ts'

/**
 * The largest number of clients for which `limit` counts requests. A further client replaces the client
 * whose first request is the oldest.
 */
const MAX_CLIENTS = 10_000

/**
 * Limits the request rate, the page size and the response time. Requests above the rate get 429 with
 * `Retry-After`; every response has the headers `RateLimit` and `RateLimit-Policy`
 * (draft-ietf-httpapi-ratelimit-headers-11).
 * @throws MockError when an option is wrong
 * @example limit({ requests: 100, per: '1m', page: 50, timeout: '10s' })
 */
export function limit(options: LimitOptions): Behaviour {
  const { rate, page, timeout, only } = toLimitSettings(options)
  const patterns = only.map(parsePattern)
  const checkStore = checkPatterns('limit', only)
  return {
    name: 'limit',
    create(world) {
      const { clock, service, host } = world
      const { dialect } = service
      checkStore(world)
      if (page && dialect.serve) {
        throw wrong(
          'the options of "limit"',
          `the dialect "${dialect.name}" makes its own pages. Please leave "page" out.`,
        )
      }
      const quotas = rate && createQuotas(rate)
      // The number of leave hooks that stages before `fault` have added.
      const outerHooks = createRequestState<number>()
      const isLimited = (exchange: Exchange): boolean =>
        patterns.some((pattern) => matches(pattern, exchange))
      return {
        at: {
          ...(timeout && {
            entry(exchange) {
              const { within } = exchange
              exchange.within = (answered) => {
                const response = within?.(answered) ?? answered
                if (!isLimited(exchange)) return response
                const report = (error: unknown): void =>
                  host().onFailure(
                    error,
                    `finish the late response to ${exchange.method} "${exchange.path}"`,
                  )
                const onTimeout = (): void =>
                  void finishLate(exchange, answered, report, outerHooks.get(exchange))
                return respondInTime(response, clock, { ...timeout, onTimeout })
              }
            },
            fault(exchange) {
              outerHooks.set(exchange, exchange.leaving?.length ?? 0)
            },
          }),
          ...(quotas && {
            quota(exchange) {
              if (isLimited(exchange)) quotas.count(exchange, clock.now())
            },
          }),
        },
        ...(page && {
          list(asked, exchange) {
            if (isLimited(exchange)) capPage(asked, exchange, page)
          },
        }),
        reset: () => quotas?.reset(),
      }
    },
  }
}

interface Quotas {
  /** Counts a request of a client. @throws MockError 429 above the limit */
  count(exchange: Exchange, now: number): void
  reset(): void
}

/** Creates the request counters of a world. */
function createQuotas({ requests, window, algorithm, by, name }: Rate): Quotas {
  const clientOf = toClientKey(by)
  const policy = `"${name}";q=${requests};w=${Math.ceil(window / 1000)}`
  const quotas = new Map<string, Quota>()

  function quotaOf(client: string): Quota {
    const existing = quotas.get(client)
    if (existing) return existing
    const [oldest] = quotas.keys()
    if (quotas.size >= MAX_CLIENTS && oldest !== undefined) quotas.delete(oldest)
    const quota = algorithms[algorithm](requests, window)
    quotas.set(client, quota)
    return quota
  }

  return {
    count(exchange, now) {
      const { isAllowed, remaining, reset } = quotaOf(clientOf(exchange.request)).take(now)
      const seconds = Math.ceil(reset / 1000)
      addHeaders(exchange, [
        ['RateLimit-Policy', policy],
        ['RateLimit', `"${name}";r=${remaining};t=${seconds}`],
      ])
      if (!isAllowed) throw tooMany(name, requests, window, seconds)
    },
    reset: () => quotas.clear(),
  }
}

function toClientKey(by: LimitOptions['by']): (request: MockRequest) => string {
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
