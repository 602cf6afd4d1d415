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
import { answerInTime, holdBack } from './response-timeout.ts'
import { checkPatterns } from '../shared/resources.ts'

/** How many callers are told apart; past that the one that came first is forgotten. */
const mostCallers = 10_000

/**
 * Limits the rate of requests: 429 with `Retry-After` past the limit, and on every answer the fields
 * `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-11); how large a page is, and
 * how long an answer may take.
 * @throws MockError when an option is wrong
 * @example limit({ requests: 100, per: '1m', page: 50, timeout: '10s' })
 */
export function limit(options: LimitOptions): Behaviour {
  const { rate, page, timeout, only } = toLimitSettings(options)
  const patterns = only.map(parsePattern)
  const checkStore = checkPatterns('limit', only)
  return {
    name: 'limit',
    create({ clock, service, host }) {
      const { dialect, store } = service
      checkStore(store)
      if (page && dialect.serve) {
        throw wrong(
          'the options of "limit"',
          `the dialect "${dialect.name}" makes its own pages. Please leave "page" out.`,
        )
      }
      const quotas = rate && createQuotas(rate)
      const outer = createRequestState<number>()
      const isLimited = (exchange: Exchange): boolean =>
        patterns.some((one) => matches(one, exchange))
      return {
        at: {
          ...(timeout && {
            entry(exchange) {
              const { within } = exchange
              exchange.within = (answered) => {
                const known = within?.(answered) ?? answered
                if (!isLimited(exchange)) return known
                const tell = (error: unknown): void =>
                  host().onFailure(error, `go on behind ${exchange.method} "${exchange.path}"`)
                const end = (): void => void holdBack(exchange, answered, tell, outer.get(exchange))
                return answerInTime(known, clock, { ...timeout, end })
              }
            },
            fault(exchange) {
              outer.set(exchange, exchange.leaving?.length ?? 0)
            },
          }),
          ...(quotas && {
            quota(exchange) {
              if (isLimited(exchange)) quotas.take(exchange, clock.now())
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
  /** Takes a request from what its caller has left. @throws MockError 429 where there is nothing left */
  take(exchange: Exchange, now: number): void
  reset(): void
}

/** Creates the counters of a world. */
function createQuotas({ requests, window, algorithm, by, name }: Rate): Quotas {
  const callerOf = toCaller(by)
  const policy = `"${name}";q=${requests};w=${Math.ceil(window / 1000)}`
  const quotas = new Map<string, Quota>()

  function quotaOf(caller: string): Quota {
    const known = quotas.get(caller)
    if (known) return known
    const [oldest] = quotas.keys()
    if (quotas.size >= mostCallers && oldest !== undefined) quotas.delete(oldest)
    const quota = algorithms[algorithm](requests, window)
    quotas.set(caller, quota)
    return quota
  }

  return {
    take(exchange, now) {
      const { isAllowed, remaining, reset } = quotaOf(callerOf(exchange.request)).take(now)
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
