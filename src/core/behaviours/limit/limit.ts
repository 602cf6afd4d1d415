import { wrong } from '../../errors/check.ts'
import { MockError } from '../../errors/mock-error.ts'
import type { Behaviour, MockContext } from '../../http/contract/behaviour.ts'
import type { Exchange } from '../../http/contract/exchange.ts'
import { andThen, type MaybePromise, type MockRequest } from '../../http/contract/messages.ts'
import { createRequestState } from '../../http/contract/request-state.ts'
import { rescue } from '../../http/pipeline/rescue.ts'
import { matches } from '../../http/routing/matcher.ts'
import { parsePattern } from '../../url/pattern.ts'
import { algorithms, type Count } from './algorithms.ts'
import { type LimitOptions, type Rate, toLimitSettings } from './options.ts'
import { describeLimit } from './describe.ts'
import { capPage } from './cap-page.ts'
import { policiesOf, type Policy } from './policies.ts'
import { finishLate, respondInTime } from './response-timeout.ts'
import { checkPatterns } from '../shared/resources.ts'
import { openStored } from '../shared/stored-map.ts'

/**
 * Limits the request rate, the page size and the response time. Requests above the rate get 429 with
 * `Retry-After`; every response has the headers `RateLimit` and `RateLimit-Policy`
 * (draft-ietf-httpapi-ratelimit-headers-11).
 * @throws MockError when an option is wrong
 * @example limit({ requests: 100, per: '1m', page: 50, timeout: '10s' })
 */
export function limit(options: LimitOptions): Behaviour {
  const settings = toLimitSettings(options)
  const { rate, page, timeout, only } = settings
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
      // The number of leave hooks that stages before `fault` have added.
      const outerHooks = createRequestState<number>()
      const isLimited = (exchange: Exchange): boolean =>
        patterns.some((pattern) => matches(pattern, exchange))
      const quotas = rate && createQuotas(rate, policiesOf(world).add(rate, isLimited), world)
      const clientOf = toClientKey(rate?.by, (error) =>
        host().onFailure(error, 'read the client of a request by the option "by" of "limit"'),
      )
      return {
        at: {
          ...(timeout && {
            entry(exchange) {
              const outerTimeout = exchange.timeout
              exchange.timeout = (answered) => {
                const response = outerTimeout?.(answered) ?? answered
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
              outerHooks.set(exchange, exchange.responseHooks?.length ?? 0)
            },
          }),
          ...(quotas && {
            quota(exchange) {
              if (!isLimited(exchange)) return undefined
              return andThen(clientOf(exchange.request), (client) =>
                quotas.count(exchange, client, clock.now()),
              )
            },
          }),
        },
        describe: () => ({ operation: (operation) => describeLimit(settings, operation) }),
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

/** Counts the requests of each client against the rate limit. */
interface Quotas {
  /** Counts a request of a client. @throws MockError 429 above the limit */
  count(exchange: Exchange, client: string, now: number): void
  reset(): void
}

/** Creates the request counters of a world. */
function createQuotas(
  { requests, window, algorithm }: Rate,
  policy: Policy,
  world: MockContext,
): Quotas {
  const counts = openStored<Count>(world, 'counts')
  const quota = algorithms[algorithm](requests, window)

  function countOf(client: string): Count {
    const existing = counts.get(client)
    if (existing) return existing
    const [oldest] = counts.keys()
    if (counts.size >= maxClients && oldest !== undefined) counts.delete(oldest)
    return quota.start()
  }

  return {
    count(exchange, client, now) {
      const count = countOf(client)
      const { isAllowed, remaining, reset } = quota.take(count, now)
      counts.set(client, count)
      const seconds = Math.ceil(reset / 1000)
      policy.report(exchange, remaining, seconds)
      if (!isAllowed) throw tooMany(policy.name(), requests, window, seconds)
    },
    reset: () => counts.clear(),
  }
}

/**
 * The largest number of clients for which `limit` counts requests. A further client replaces the client
 * whose first request is the oldest.
 */
const maxClients = 10_000

/**
 * Creates the function that names the client of a request. A request whose client cannot be read, because
 * `by` throws or rejects, counts with the requests that name no client.
 */
function toClientKey(
  by: LimitOptions['by'],
  onFailure: (error: unknown) => void,
): (request: MockRequest) => MaybePromise<string> {
  if (typeof by === 'function') {
    const toKey = (client: unknown = ''): string =>
      typeof client === 'string' ? client : JSON.stringify(client)
    const read = (request: MockRequest): MaybePromise<string> => {
      const client: unknown = by(request)
      // A promise may be of another realm, as in jsdom.
      const isPromise = typeof client === 'object' && client !== null && 'then' in client
      return isPromise ? Promise.resolve(client).then(toKey) : toKey(client)
    }
    return (request) =>
      rescue(
        () => read(request),
        (error) => {
          onFailure(error)
          return ''
        },
      )
  }
  const header = by?.toLowerCase()
  return header === undefined ? () => '' : ({ headers }) => endOf(headers[header] ?? '')
}

/**
 * Returns the end of a long value, such as the signature of a token, which identifies a client. Copies the text,
 * because a slice would keep the whole value in memory.
 */
function endOf(value: string): string {
  return value.length > maxClientLength ? Array.from(value.slice(-maxClientLength)).join('') : value
}

/** The longest name of a client that a header gives, in characters. */
const maxClientLength = 256

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
