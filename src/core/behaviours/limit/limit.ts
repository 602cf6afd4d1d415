import { wrong } from '../../errors/check.ts'
import { MockError } from '../../errors/mock-error.ts'
import type { Behaviour, MockContext } from '../../http/contract/behaviour.ts'
import { type Exchange, createRequestState } from '../../http/contract/exchange.ts'
import {
  andThen,
  type MaybePromise,
  type MockRequest,
  tryOr,
  type MockResponse,
} from '../../http/contract/messages.ts'
import { matches } from '../../http/routing/matcher.ts'
import { parsePattern } from '../../url/pattern.ts'
import type { OperationDescription, OperationFacts } from '../../http/contract/description.ts'
import type { Header } from '../../types/openapi.ts'
import type { ListRequest } from '../../dialects/contract/dialect.ts'
import { checkPatterns } from '../shared/resources.ts'
import { openStored } from '../shared/world-state.ts'
import { coverageOf } from '../shared/coverage.ts'
import { algorithms, type Count, policiesOf, type Policy, type Rate } from './rate-limits.ts'
import {
  type LimitOptions,
  type LimitSettings,
  type PageLimit,
  toLimitSettings,
} from './options.ts'
import type { Clock } from '../../time/clock.ts'

/**
 * Limits the request rate, the page size and the response time. Requests above the rate get 429 with
 * `Retry-After`; every response has the headers `RateLimit` and `RateLimit-Policy`
 * (draft-ietf-httpapi-ratelimit-headers-11).
 * @throws MockError when an option is wrong
 * @example limit({ requests: 100, per: '1m', page: 50, timeout: '10s' })
 */
export function limit(options: LimitOptions): Behaviour {
  const settings = toLimitSettings(options)
  const { rate, by, page, timeout, only } = settings
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
      const clientOf = toClientKey(by, (error) =>
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

function createQuotas({ requests, window, algorithm }: Rate, policy: Policy, world: MockContext) {
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
    /** Counts a request of a client. @throws MockError 429 above the limit */
    count(exchange: Exchange, client: string, now: number): void {
      const count = countOf(client)
      const { isAllowed, remaining, reset } = quota.take(count, now)
      counts.set(client, count)
      const seconds = Math.ceil(reset / 1000)
      policy.report(exchange, remaining, seconds)
      if (!isAllowed) throw tooMany(policy.name(), requests, window, seconds)
    },
    reset: (): void => counts.clear(),
  }
}

/** A further client replaces the client whose first request is the oldest. */
const maxClients = 10_000

/** A request for which `by` throws or rejects counts with the requests that name no client. */
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
      tryOr(
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

/** The end of a value identifies a client; it is a copy, as a slice keeps the whole value in memory. */
function endOf(value: string): string {
  return value.length > maxClientLength ? Array.from(value.slice(-maxClientLength)).join('') : value
}

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

function describeLimit(
  { rate, page, timeout, only }: LimitSettings,
  operation: OperationFacts,
): OperationDescription | undefined {
  if (coverageOf(only, operation) === 'none') return undefined
  const isList = operation.kind === 'collection' && operation.method === 'GET'
  return {
    ...(page && isList && { notes: [`A page has at most ${page.max} records.`] }),
    ...(rate && { headers: rateHeaders }),
    errors: {
      ...(rate && { 429: `More than ${rate.requests} requests in ${rate.window / 1000} s.` }),
      ...(timeout && {
        [timeout.status]: `The response took longer than ${timeout.milliseconds / 1000} s.`,
      }),
    },
    headersOf: {
      ...(rate && { 429: retryAfter }),
      ...(timeout?.status === 503 && { 503: retryAfter }),
    },
  }
}

const text = { type: 'string' }

const rateHeaders: Readonly<Record<string, Header>> = {
  'RateLimit-Policy': { description: 'The limits: `"default";q=100;w=60`.', schema: text },
  RateLimit: { description: 'The remaining requests: `"default";r=99;t=60`.', schema: text },
}

const retryAfter: Readonly<Record<string, Header>> = {
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 0 } },
}

/** Reduces a page of more than `max` records, or refuses it; splits a list without paging. */
function capPage(asked: ListRequest, exchange: Exchange, { max, over }: Required<PageLimit>): void {
  const { query, paging } = asked
  const start = query.slice?.start ?? 0
  const size = (query.slice?.end ?? Infinity) - start
  if (size <= max || isShort(exchange, max)) return
  if (over === 'refuse' && size < Infinity) throw pageTooLarge(exchange, size, max)
  if (!paging || size === Infinity) {
    asked.paging = { style: 'range', page: 1, size: max }
    query.slice = { start, end: start + max }
  } else {
    const isNumbered = paging.style === 'page' || paging.style === 'envelope'
    const from = isNumbered ? (paging.page - 1) * max : start
    asked.paging = { ...paging, size: max }
    query.slice = { start: from, end: from + max }
  }
  exchange.reasons.push(`page reduced to ${max}`)
}

/** Whether the whole collection fits into one page, so that the response needs no paging. */
function isShort({ target }: Exchange, max: number): boolean {
  return target?.kind === 'collection' && target.resource.size <= max
}

function pageTooLarge({ params, target }: Exchange, size: number, max: number): MockError {
  // Only the dialect knows the name of the size parameter, so it is found by its value.
  const name = params.find(([, value]) => value === String(size))?.[0]
  return new MockError(
    `Failed to list "${target?.resource.name}": ${size} records are more than a page may have. Please ask for at most ${max}.`,
    {
      status: 400,
      code: 'PAGE_TOO_LARGE',
      ...(name !== undefined && { errors: { [name]: `has to be at most ${max}` } }),
    },
  )
}

/** Rejects with 504 or 503 if a response is late (RFC 9110 §15.6.5); the request still runs to its end. */
function respondInTime(
  answered: Promise<MockResponse>,
  clock: Clock,
  { milliseconds, status, onTimeout }: ResponseTimeout,
): Promise<MockResponse> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      stop()
      onTimeout()
      reject(tooLate(milliseconds, status))
    }
    const stop = clock.after(milliseconds, giveUp, true)
    void answered.then(resolve, reject).finally(stop)
  })
}

interface ResponseTimeout extends NonNullable<LimitSettings['timeout']> {
  onTimeout(): void
}

/** Runs the inner leave hooks on the late response, which is discarded; the timeout response runs the `outer` ones. */
async function finishLate(
  exchange: Exchange,
  answered: Promise<MockResponse>,
  report: (error: unknown) => void,
  outer: number = Infinity,
): Promise<void> {
  const inner = exchange.responseHooks?.splice(outer) ?? []
  let late = await answered
  for (const leave of [...inner, ...(exchange.responseHooks ?? [])].toReversed()) {
    try {
      late = await leave(late)
    } catch (error) {
      if (!(error instanceof MockError)) report(error)
    }
  }
}

function tooLate(milliseconds: number, status: 503 | 504): MockError {
  const seconds = milliseconds / 1000
  return new MockError(`Failed to answer in time: the response took longer than ${seconds} s.`, {
    status,
    code: 'TIMED_OUT',
    headers: status === 503 ? [['Retry-After', String(Math.max(1, Math.ceil(seconds)))]] : [],
  })
}
