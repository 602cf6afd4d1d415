import type { Clock } from '../../time/clock.ts'
import { MockError } from '../../errors/mock-error.ts'
import type { Random } from '../../time/random.ts'
import { parseParams } from '../../url/params.ts'
import type { Access } from '../contract/answerer.ts'
import { type Hook, type Hooks, type Stage, stages } from '../contract/hooks.ts'
import { throwIfEnded } from '../contract/early-end.ts'
import type { Exchange, RecordHooks } from '../contract/exchange.ts'
import type { Service } from '../contract/service.ts'
import { checkUrl } from '../contract/limits.ts'
import {
  andThen,
  type MaybePromise,
  type MockRequest,
  type MockResponse,
} from '../contract/messages.ts'
import { answerPreflight, isPreflight } from '../cors/preflight.ts'
import { checkAccept } from '../response/accept.ts'
import { timeOf } from '../response/modified.ts'
import { render, write, writeRendered } from '../response/render.ts'
import { asGiven } from '../response/represent.ts'
import { createResponseCache } from '../response/response-cache.ts'
import { settle } from '../response/settle.ts'
import { isSafe } from '../routing/methods.ts'
import { withRawBody } from '../resource/body.ts'
import { findTarget } from '../routing/target.ts'
import { toHooks } from '../rules/rule-hooks.ts'
import type { Rules } from '../rules/rules.ts'
import { act, type Outcome } from './act.ts'
import { type CompleteOptions, createComplete, toPreflightExchange } from './complete.ts'
import { createDivert } from './divert.ts'
import { createFail } from './fail.ts'
import { createEndWithOwners, type OnEnd } from './live-streams.ts'
import { createPending } from './pending.ts'
import { rescue } from './rescue.ts'
import { locate } from './serve-whole.ts'

/**
 * Creates the pipeline of a mock, which every request passes: preflight, hooks, target, hooks, action,
 * response, hooks.
 */
export function createPipeline(options: PipelineOptions): Pipeline {
  const { service, clock, hooks, rules, random, encode, cacheSize } = options
  const { dialect, limits } = service
  const fail = createFail(options)
  const complete = createComplete(options)
  const divert = createDivert(hooks)
  const entry = hooksAt(hooks, ['entry'])
  const outer = hooksAt(hooks, outerStages)
  const inner = hooksAt(hooks, innerStages)
  let ruled: readonly Hook[] | undefined
  const withRules = (): readonly Hook[] =>
    (ruled ??= hooksAt([toHooks({ clock, rules, random }), ...hooks], outerStages))
  const records = toRecordHooks([...hooks, dialect])
  const pending = createPending()
  service.store.changes.subscribe(({ type }) => {
    if (type === 'reset') pending.endWrites()
  }, 'end the writes that wait')
  options.onEnd(pending.endWrites)
  const endWithOwners = createEndWithOwners(options.onEnd)

  // A hook may depend on anything of the exchange, so that the URL does not identify a response.
  const hasCache = inner.length + records.lists.length + records.views.length === 0
  const cache = hasCache
    ? createResponseCache({ version: () => service.store.version, encode, limit: cacheSize })
    : undefined

  /** Runs hooks one after the other; the first response wins, and without a response `next` answers. */
  function runHooks(
    exchange: Exchange,
    some: readonly Hook[],
    next: (exchange: Exchange) => MaybePromise<MockResponse>,
    at = 0,
  ): MaybePromise<MockResponse> {
    const hook = some[at]
    if (!hook) return next(exchange)
    return andThen(hook(exchange), (found) => {
      if (!found) {
        throwIfEnded(exchange)
        return runHooks(exchange, some, next, at + 1)
      }
      // A hook's response is not cached: it may be about one client or one moment.
      return asGiven('body' in found ? found : write(exchange, found, undefined, 'no-store'))
    })
  }

  function route(exchange: Exchange): MaybePromise<MockResponse> {
    const cached = cache?.get(exchange)
    if (cached) {
      exchange.reasons.push(...cached.reasons)
      exchange.cached = cached.response
      return deliver(exchange, cached.response)
    }
    exchange.hookReasons = exchange.reasons.length
    try {
      exchange.params = parseParams(exchange.search, limits.maxParams)
      exchange.target = dialect.locate ? locate(exchange) : findTarget(exchange.path, service)
    } catch (error) {
      if (!(error instanceof MockError)) throw error
      exchange.notFound = error
    }
    return runHooks(exchange, inner, respond)
  }

  function respond(exchange: Exchange): MaybePromise<MockResponse> {
    return andThen(act(exchange), (outcome) => finish(exchange, outcome))
  }

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

  function deliver(exchange: Exchange, response: MockResponse): MockResponse {
    if (isSafe(exchange.method)) checkAccept(exchange.headers['accept'])
    return settle(exchange, response)
  }

  function leave(exchange: Exchange, response: MockResponse): MaybePromise<MockResponse> {
    const next = exchange.responseHooks?.pop()
    if (!next) return response
    return rescue(
      () => andThen(next(response), (left) => leave(exchange, left)),
      (error) => leave(exchange, fail(exchange, error)),
    )
  }

  return (request, access) => {
    const diverted = divert(request, access)
    if (diverted) return diverted
    if (isPreflight(request)) {
      const response = answerPreflight(request, access.origins)
      const refused = toPreflightExchange(request, access, response, clock.now())
      if (refused) options.log.insert(refused)
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
    if (method !== 'GET' && method !== 'HEAD') exchange.request = withRawBody(exchange)
    const send = (response: MockResponse): MockResponse =>
      endWithOwners(exchange, complete(exchange, response, started))
    const close = (response: MockResponse): MaybePromise<MockResponse> =>
      exchange.responseHooks ? andThen(leave(exchange, copyOf(response)), send) : send(response)
    try {
      checkUrl(request, limits)
      access.check?.(request)
      const hooks = access.isInspection ? entry : rules.isEmpty() ? outer : withRules()
      const answered = runHooks(exchange, hooks, route)
      if (!(answered instanceof Promise)) return close(answered)
      const stopWaiting = pending.add(exchange, answered)
      const rescued = answered.catch((error: unknown) => fail(exchange, error))
      const timely = exchange.timeout?.(rescued).catch((error: unknown) => fail(exchange, error))
      return (timely ?? rescued).then((response) => {
        stopWaiting()
        return close(response)
      })
    } catch (error) {
      return close(fail(exchange, error))
    }
  }
}

/** Answers a request; returns no promise if nothing has to be awaited. */
export type Pipeline = (request: MockRequest, access: Access) => MaybePromise<MockResponse>

/**
 * The options of `createPipeline`: the service with data and dialect, the hooks of behaviours, the
 * rules of `mock.on`, and the clock, random numbers and callbacks that these need.
 */
export interface PipelineOptions extends CompleteOptions {
  service: Service
  clock: Clock
  hooks: readonly (Hooks & { name: string })[]
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

/** The hooks at some stages, in the order of the stages. */
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

/** Copies a response, so that hooks can change the copy in place: the original may be in the cache. */
function copyOf(response: MockResponse): MockResponse {
  return { ...response, headers: response.headers.map((line) => [...line]) }
}
