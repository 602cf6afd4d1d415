import { MockError } from '../../errors/mock-error.ts'
import { parseParams } from '../../url/params.ts'
import type { Exchange } from '../contract/exchange.ts'
import { throwIfEnded } from '../contract/early-end.ts'
import type { Hook } from '../contract/hooks.ts'
import { andThen, isSafe, type MaybePromise, type MockResponse } from '../contract/messages.ts'
import type { Service } from '../contract/service.ts'
import { checkAccept } from '../response/accept.ts'
import { timeOf } from '../response/modified.ts'
import { render, write, writeRendered } from '../response/render.ts'
import { asGiven } from '../response/represent.ts'
import type { ResponseCache } from '../response/response-cache.ts'
import { settle } from '../response/settle.ts'
import { findTarget } from '../routing/target.ts'
import { act, type Outcome } from './actions.ts'
import { locate } from './serve-whole.ts'

/** Creates the steps from the path to the response: cache, target, inner hooks, action, rendering. */
export function createRespond(
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
      exchange.target = dialect.locate ? locate(exchange) : findTarget(exchange.path, service)
    } catch (error) {
      if (!(error instanceof MockError)) throw error
      exchange.notFound = error
    }
    return runHooks(exchange, inner, respond)
  }
}

/** Runs hooks one after the other; the first response wins, and without a response `next` answers. */
export function runHooks(
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
    return asGiven('body' in response ? response : write(exchange, response, undefined, 'no-store'))
  })
}

function deliver(exchange: Exchange, response: MockResponse): MockResponse {
  if (isSafe(exchange.method)) checkAccept(exchange.headers['accept'])
  return settle(exchange, response)
}
