import { toMessage } from '../../errors/error-details.ts'
import { MockError } from '../../errors/mock-error.ts'
import { isUsageError, placeOf } from '../../errors/usage-error.ts'
import { parseParams } from '../../url/params.ts'
import type { Clock } from '../../time/clock.ts'
import type { Random } from '../../time/random.ts'
import type { Access } from '../contract/answerer.ts'
import { type Hook, type Hooks, type NamedHooks, type Stage, stages } from '../contract/hooks.ts'
import { createPending, throwIfEnded } from '../contract/early-end.ts'
import type { Exchange, RecordHooks } from '../contract/exchange.ts'
import type { Service } from '../contract/service.ts'
import type { Limits } from '../contract/limits.ts'
import {
  andThen,
  isSafe,
  type MaybePromise,
  type MockRequest,
  type MockResponse,
  tryOr,
} from '../contract/messages.ts'
import { answerPreflight, isPreflight } from '../cors/cors.ts'
import { timeOf } from '../response/last-modified.ts'
import { render, writeRendered } from '../response/render.ts'
import { asGiven, represent } from '../response/represent.ts'
import { createResponseCache, type ResponseCache } from '../response/response-cache.ts'
import { settle } from '../response/settle.ts'
import { guardSocket } from '../response/sockets.ts'
import { findTarget } from '../routing/target.ts'
import { withRawBody } from '../resource/body.ts'
import { createRuleHooks, type Rules } from '../rules/rules.ts'
import { act, checkTypes, type Outcome } from './actions.ts'
import {
  type CompleteOptions,
  createComplete,
  endWithOwners,
  type OnEnd,
  toPreflightExchange,
} from './complete.ts'
import { locate } from './serve-whole.ts'

/** Creates the pipeline of a mock: preflight, hooks, target, hooks, action, response, hooks. */
export function createPipeline(options: PipelineOptions): Pipeline {
  const { service, clock, hooks, rules, random, encode, cacheSize, log } = options
  const fail = createFail(clock, options.onFailure)
  const complete = createComplete(options)
  const entry = hooksAt(hooks, ['entry'])
  const outer = hooksAt(hooks, outerStages)
  const inner = hooksAt(hooks, innerStages)
  let ruled: readonly Hook[] | undefined
  const withRules = (): readonly Hook[] =>
    (ruled ??= hooksAt([createRuleHooks(rules, { clock, random }), ...hooks], outerStages))
  const records = toRecordHooks([...hooks, service.dialect])
  const pending = createPending()
  service.store.changes.subscribe(({ type }) => {
    if (type === 'reset') pending.endWrites()
  }, 'end the writes that wait')
  options.onEnd(pending.endWrites)
  // Hooks may read anything, so responses are cached only without hooks.
  const hasCache = inner.length + records.lists.length + records.views.length === 0
  const cache = hasCache
    ? createResponseCache({ version: () => service.store.version, encode, limit: cacheSize })
    : undefined
  const respond = createRespond(service, inner, cache)

  /** Awaits the hooks and the action, until a time-out, an abort or a reset ends the request. */
  function wait(exchange: Exchange, answered: Promise<MockResponse>): Promise<MockResponse> {
    const stopWaiting = pending.add(exchange, answered)
    const failed = (error: unknown): MockResponse => fail(exchange, error)
    const rescued = answered.catch(failed)
    const timely = exchange.timeout?.(rescued).catch(failed) ?? rescued
    return timely.then((response) => {
      stopWaiting()
      return response
    })
  }

  return (request, access) => {
    if (isPreflight(request)) {
      const response = answerPreflight(request, access.origins)
      const refused = toPreflightExchange(request, access, response, clock.now())
      if (refused) log.insert(refused)
      return response
    }
    const started = clock.now()
    const { method, path, search, origin, headers } = request
    const exchange: Exchange = {
      request,
      access,
      method,
      path,
      search,
      origin,
      headers,
      params: [],
      service,
      records,
      reasons: [],
    }
    if (request.received) {
      exchange.reasons.push(`changed by a middleware to ${method} ${path}${search}`)
    }
    if (method !== 'GET' && method !== 'HEAD') exchange.request = withRawBody(exchange)
    const send = (response: MockResponse): MockResponse => {
      const completed = complete(exchange, response, started)
      const { socket } = response
      if (socket) return { ...completed, socket: guardSocket(exchange, socket, options) }
      return endWithOwners(exchange, completed, options.onEnd)
    }
    const close = (response: MockResponse): MaybePromise<MockResponse> =>
      exchange.responseHooks
        ? andThen(runResponseHooks(exchange, copyOf(response), fail), send)
        : send(response)
    try {
      checkUrl(request, service.limits)
      access.check?.(request)
      const first = access.isInspection ? entry : rules.isEmpty() ? outer : withRules()
      const answered = runHooks(exchange, first, respond)
      return answered instanceof Promise ? wait(exchange, answered).then(close) : close(answered)
    } catch (error) {
      return close(fail(exchange, error))
    }
  }
}

/** Answers a request; returns no promise if nothing has to be awaited. */
export type Pipeline = (request: MockRequest, access: Access) => MaybePromise<MockResponse>

/** The service, the hooks of behaviours, the rules of `mock.on`, and clock, random numbers and callbacks. */
export interface PipelineOptions extends CompleteOptions {
  service: Service
  clock: Clock
  hooks: readonly NamedHooks[]
  /** The rules of `mock.on`, which run before the hooks of behaviours. */
  rules: Rules
  /** Draws the delays of rules. */
  random: Random
  /** The size of the response cache, in bytes. @default 134217728 */
  cacheSize?: number | undefined
  /** Calls back when the mock or fork ends, as the fork of an expired session does. */
  onEnd: OnEnd
  /** Is notified of failures that no code expected; `doing` is what failed. */
  onFailure(error: unknown, doing: string): void
}

/** The stages before the target is looked up, and those after. */
const outerStages = stages.slice(0, stages.indexOf('auth'))
const innerStages = stages.slice(outerStages.length)

function hooksAt(hooks: readonly Hooks[], some: readonly Stage[]): Hook[] {
  const staged = hooks.filter((one) => one.at)
  if (staged.length === 0) return []
  return some.flatMap((stage) => staged.flatMap((one) => one.at?.[stage] ?? []))
}

function toRecordHooks(
  hooks: readonly Pick<Hooks, 'list' | 'view' | 'beforeWrite' | 'write' | 'check'>[],
): RecordHooks {
  return {
    lists: hooks.flatMap((one) => one.list ?? []),
    views: hooks.flatMap((one) => one.view ?? []),
    writes: [
      ...hooks.flatMap((one) => one.beforeWrite ?? []),
      ...hooks.flatMap((one) => one.write ?? []),
      ...hooks.flatMap((one) => one.check ?? []),
    ],
  }
}

/** @throws MockError 414 when the URL is too long */
function checkUrl({ path, search }: MockRequest, { maxUrl }: Limits): void {
  if (path.length + search.length <= maxUrl) return
  throw new MockError(
    `Failed to read the URL: it has more than ${maxUrl} characters. Please send the query in the body of QUERY.`,
    { status: 414, code: 'URL_TOO_LONG' },
  )
}

/** Creates the steps from the path to the response: cache, target, inner hooks, action, rendering. */
function createRespond(
  service: Service,
  inner: readonly Hook[],
  cache: ResponseCache | undefined,
): (exchange: Exchange) => MaybePromise<MockResponse> {
  const { dialect, limits, clock } = service

  function finish(exchange: Exchange, outcome: Outcome): MockResponse {
    if ('status' in outcome) return outcome
    if (outcome.type === 'served') {
      const isCurrent = isSafe(exchange.method)
      return settle(exchange, writeRendered(exchange, outcome.answer, { isCurrent }))
    }
    const response = render(exchange, outcome)
    // A `Last-Modified` in the future is left out, and has to appear when its time comes.
    const isAhead = outcome.type === 'record' && (timeOf(outcome.record) ?? 0) > clock.now()
    if (!isAhead) cache?.keep(exchange, response)
    return deliver(exchange, response)
  }

  const respond = (exchange: Exchange): MaybePromise<MockResponse> =>
    andThen(act(exchange), (outcome) => finish(exchange, outcome))

  return (exchange) => {
    const cached = cache?.get(exchange)
    if (cached) {
      exchange.reasons.push(...cached.reasons)
      exchange.cached = cached.response
      return deliver(exchange, cached.response)
    }
    exchange.hookReasons = exchange.reasons.length
    try {
      exchange.params = parseParams(exchange.search, limits.maxParams)
      if (!exchange.notFound) {
        exchange.target = dialect.locate ? locate(exchange) : findTarget(exchange.path, service)
      }
    } catch (error) {
      if (!(error instanceof MockError)) throw error
      exchange.notFound = error
    }
    return runHooks(exchange, inner, respond)
  }
}

/** Runs hooks one after the other; the first response wins, and without a response `next` answers. */
function runHooks(
  exchange: Exchange,
  hooks: readonly Hook[],
  next: (exchange: Exchange) => MaybePromise<MockResponse>,
  index = 0,
): MaybePromise<MockResponse> {
  const hook = hooks[index]
  if (!hook) return next(exchange)
  return andThen(hook(exchange), (response) => {
    if (!response) {
      throwIfEnded(exchange)
      return runHooks(exchange, hooks, next, index + 1)
    }
    // A hook's response is not cached: it may be about one client or one moment.
    return asGiven(
      'body' in response ? response : represent(exchange, response, undefined, 'no-store'),
    )
  })
}

function deliver(exchange: Exchange, response: MockResponse): MockResponse {
  if (isSafe(exchange.method)) checkTypes(exchange)
  return settle(exchange, response)
}

/** Passes a response through the functions of `onLeave`, the last first; an error takes its place. */
function runResponseHooks(
  exchange: Exchange,
  response: MockResponse,
  fail: Fail,
): MaybePromise<MockResponse> {
  const next = exchange.responseHooks?.pop()
  if (!next) return response
  return tryOr(
    () => andThen(next(response), (changed) => runResponseHooks(exchange, changed, fail)),
    (error) => runResponseHooks(exchange, fail(exchange, error), fail),
  )
}

/** Copies a response, so that hooks can change the copy in place: the original may be in the cache. */
function copyOf(response: MockResponse): MockResponse {
  return { ...response, headers: response.headers.map((line) => [...line]) }
}

/**
 * Turns every error into a response: the dialect writes a MockError. Any other error, and a wrong call of `mock.db` by a
 * handler, is a 500 with an id, reported; the log has its message and its place.
 */
function createFail(clock: Clock, onFailure: (error: unknown, doing: string) => void): Fail {
  let failures = 0

  /** Reports an unexpected error under an id; the client gets the id alone. */
  function toFailure({ method, path, reasons }: Exchange, error: unknown): MockError {
    const id = `${clock.now().toString(36)}-${(failures++).toString(36)}`
    onFailure(error, `answer ${method} "${path}" (${id})`)
    const place = placeOf(error)
    reasons.push(`${toMessage(error)}${place === undefined ? '' : ` (${place})`}`)
    return new MockError(`Failed to answer: see "${id}" in the log of the mock.`, {
      code: 'FAILURE',
      extensions: { id },
    })
  }

  return (exchange, error) => {
    const isExpected = error instanceof MockError && !isUsageError(error)
    const problem = isExpected ? error : toFailure(exchange, error)
    if (problem.code !== 'NOT_FOUND') exchange.reasons.push(problem.message)
    return represent(exchange, exchange.service.dialect.renderError(problem, exchange))
  }
}

type Fail = (exchange: Exchange, error: unknown) => MockResponse
