import type { Hooks } from './behaviour.ts'
import type { Clock } from '../clock.ts'
import type { Answer } from '../dialects/dialect.ts'
import { MockError } from '../errors.ts'
import type { LogEntry } from '../log.ts'
import { parseParams } from '../params.ts'
import { actionOf, methodsOf } from './actions.ts'
import { withConditions } from './conditional.ts'
import { type AllowedOrigins, answerPreflight, corsHeaders, isPreflight } from './cors.ts'
import type { Exchange, Routed, Service } from './exchange.ts'
import { after, type MaybePromise, type MockRequest, type MockResponse } from './messages.ts'
import { represent } from './represent.ts'
import { findTarget } from './target.ts'

/** Whom a face lets talk to the mock. */
export interface Access {
  origins: AllowedOrigins
}

/** What a pipeline is made of. */
export interface PipelineOptions {
  service: Service
  clock: Clock
  hooks: readonly Hooks[]
  /** Hears of a request when it is answered. */
  onAnswer(entry: LogEntry): void
  /** Hears of a failure that nobody expected. */
  onFailure(error: unknown, exchange: Exchange): void
}

/** Answers requests; at once where nothing has to be waited for. */
export type Pipeline = (request: MockRequest, access: Access) => MaybePromise<MockResponse>

/** Creates the way of a request: preflight, behaviours, target, action, answer, behaviours again. */
export function createPipeline(options: PipelineOptions): Pipeline {
  const { service, clock, hooks, onAnswer, onFailure } = options
  const before = hooks.filter((one) => one.request)
  const behind = hooks.filter((one) => one.response).reverse()

  function act(exchange: Exchange): MaybePromise<MockResponse> {
    const routed = route(exchange)
    if (routed.method === 'OPTIONS') return answerOptions(routed)
    const action = actionOf(routed)
    return after(action(routed), (result) => finish(routed, service.dialect.render(result, routed)))
  }

  function finish(exchange: Exchange, answer: Answer): MockResponse {
    const name = exchange.target?.resource.name
    const response = represent(answer, exchange, {
      indent: service.dialect.indent,
      cacheControl: name === undefined ? 'no-store' : service.cacheControl(name),
    })
    return withConditions(exchange.request, response)
  }

  function fail(exchange: Exchange, error: unknown): MockResponse {
    if (!(error instanceof MockError) || error.status >= 500) onFailure(error, exchange)
    const problem =
      error instanceof MockError
        ? error
        : new MockError('Failed to answer: see the log of the mock.')
    if (problem.status !== 404) exchange.reasons.push(problem.message)
    return finish(exchange, service.dialect.renderError(problem, exchange))
  }

  /** Asks one behaviour after the other; the first response ends the way. */
  function enter(exchange: Exchange, at: number): MaybePromise<MockResponse> {
    const hook = before[at]
    if (!hook?.request) return act(exchange)
    return after(hook.request(exchange), (found) => {
      if (found instanceof MockError) throw found
      return found ?? enter(exchange, at + 1)
    })
  }

  function leave(
    exchange: Exchange,
    response: MockResponse,
    at: number,
  ): MaybePromise<MockResponse> {
    const hook = behind[at]
    if (!hook?.response) return response
    return after(hook.response(response, exchange), (next) => leave(exchange, next, at + 1))
  }

  return (request, access) => {
    if (isPreflight(request)) return answerPreflight(request, access.origins)
    const started = clock.now()
    const exchange = toExchange(request, service)
    const close = (response: MockResponse): MaybePromise<MockResponse> =>
      after(leave(exchange, response, 0), (left) => {
        const headers = corsHeaders(request, access.origins)
        const body = exchange.method === 'HEAD' ? null : left.body
        const sent = { status: left.status, headers: [...left.headers, ...headers, vary], body }
        onAnswer(toEntry(exchange, sent, started, clock.now() - started))
        return sent
      })
    try {
      const answered = enter(exchange, 0)
      if (!(answered instanceof Promise)) return close(answered)
      return answered.catch((error: unknown) => fail(exchange, error)).then(close)
    } catch (error) {
      return close(fail(exchange, error))
    }
  }
}

const vary: [string, string] = ['Vary', 'Origin, Accept']

function toExchange(request: MockRequest, service: Service): Exchange {
  const { method, path, origin, headers } = request
  return { request, method, path, origin, headers, params: [], service, reasons: [] }
}

function route(exchange: Exchange): Routed {
  exchange.params = parseParams(exchange.request.search)
  exchange.target = findTarget(exchange.path, exchange.service)
  return exchange as Routed
}

function answerOptions({ target, service }: Routed): MockResponse {
  const allow = methodsOf(target.kind, service.readOnly).join(', ')
  return { status: 204, headers: [['Allow', allow]], body: null }
}

function toEntry(
  { method, request, reasons }: Exchange,
  { status, body }: MockResponse,
  time: number,
  ms: number,
): LogEntry {
  const bytes = typeof body === 'string' || body instanceof Uint8Array ? body.length : 0
  return {
    time,
    method,
    url: request.path + request.search,
    status,
    ms,
    bytes,
    reason: reasons.join('; '),
  }
}
