import { type Hook, type Hooks, type Stage, stages } from './behaviour.ts'
import type { Clock } from '../clock.ts'
import type { Answer } from '../dialects/dialect.ts'
import { MockError } from '../errors.ts'
import type { LogEntry } from '../log.ts'
import { parseParams } from '../params.ts'
import type { Access } from './answerer.ts'
import { actionOf, methodsOf } from './actions.ts'
import { createAnswers } from './answers.ts'
import { withConditions } from './conditional.ts'
import { answerPreflight, corsHeaders, isPreflight } from './cors.ts'
import type { Exchange, RecordHooks, Routed, Service } from './exchange.ts'
import { after, type MaybePromise, type MockRequest, type MockResponse } from './messages.ts'
import { represent } from './represent.ts'
import { locate, serveWhole } from './serve-whole.ts'
import { findTarget } from './target.ts'

/** What a pipeline is made of. */
export interface PipelineOptions {
  service: Service
  clock: Clock
  hooks: readonly Hooks[]
  /** Writes a text as UTF-8. */
  encode(text: string): Uint8Array
  /** Hears of a request when it is answered. */
  onAnswer(entry: LogEntry): void
  /** Hears of a failure that nobody expected. */
  onFailure(error: unknown, exchange: Exchange): void
}

/** Answers requests; at once where nothing has to be waited for. */
export type Pipeline = (request: MockRequest, access: Access) => MaybePromise<MockResponse>

/** Creates the way of a request: preflight, behaviours, target, action, answer, behaviours again. */
export function createPipeline(options: PipelineOptions): Pipeline {
  const { service, clock, hooks, encode, onAnswer, onFailure } = options
  const inside = stages.indexOf('auth')
  const outer = hooksAt(hooks, stages.slice(0, inside))
  const inner = hooksAt(hooks, stages.slice(inside))
  const records: RecordHooks = {
    lists: hooks.flatMap((one) => one.list ?? []),
    views: hooks.flatMap((one) => one.view ?? []),
    writes: [
      ...hooks.flatMap((one) => one.write ?? []),
      ...hooks.flatMap((one) => one.check ?? []),
    ],
  }

  // What a hook does to a read cannot be told from the request alone.
  const isPlain = inner.length + records.lists.length + records.views.length === 0
  const answers = isPlain
    ? createAnswers({ version: () => service.store.version, encode })
    : undefined

  /** Asks one hook after the other; the first answer ends the way. */
  function walk(exchange: Exchange, way: readonly Hook[], at: number): MaybePromise<MockResponse> {
    const hook = way[at]
    if (!hook) return way === outer ? lookUp(exchange) : act(exchange)
    return after(hook(exchange), (found) => {
      if (!found) return walk(exchange, way, at + 1)
      return 'body' in found ? found : finish(exchange, found)
    })
  }

  function lookUp(exchange: Exchange): MaybePromise<MockResponse> {
    const known = answers?.get(exchange)
    if (known) {
      exchange.reasons.push(...known.reasons)
      return withConditions(exchange.request, known.response)
    }
    try {
      exchange.params = parseParams(exchange.request.search)
      exchange.target = service.dialect.locate
        ? locate(exchange)
        : findTarget(exchange.path, service)
    } catch (error) {
      if (!(error instanceof MockError)) throw error
      exchange.missing = error
    }
    return walk(exchange, inner, 0)
  }

  function act(exchange: Exchange): MaybePromise<MockResponse> {
    if (service.dialect.serve) {
      return after(serveWhole(exchange), (answer) => finish(exchange, answer))
    }
    if (exchange.missing) throw exchange.missing
    const routed = exchange as Routed
    if (routed.method === 'OPTIONS') return answerOptions(routed)
    const action = actionOf(routed)
    return after(action(routed), (result) => {
      const response = present(routed, service.dialect.render(result, routed))
      if (result.type === 'list') answers?.keep(routed, { response, reasons: routed.reasons })
      return withConditions(routed.request, response)
    })
  }

  function finish(exchange: Exchange, answer: Answer): MockResponse {
    return withConditions(exchange.request, present(exchange, answer))
  }

  function present(exchange: Exchange, answer: Answer): MockResponse {
    const name = exchange.target?.resource.name
    return represent(answer, exchange, {
      indent: service.dialect.indent,
      cacheControl: name === undefined ? 'no-store' : service.cacheControl(name),
    })
  }

  function fail(exchange: Exchange, error: unknown): MockResponse {
    if (!(error instanceof MockError)) onFailure(error, exchange)
    const problem =
      error instanceof MockError
        ? error
        : new MockError('Failed to answer: see the log of the mock.')
    if (problem.status !== 404) exchange.reasons.push(problem.message)
    return finish(exchange, service.dialect.renderError(problem, exchange))
  }

  function leave(exchange: Exchange, response: MockResponse): MaybePromise<MockResponse> {
    const next = exchange.leaving?.pop()
    if (!next) return response
    try {
      const left = after(next(response), (left) => leave(exchange, left))
      return left instanceof Promise ? left.catch(failed) : left
    } catch (error) {
      return failed(error)
    }
    function failed(error: unknown): MaybePromise<MockResponse> {
      return leave(exchange, fail(exchange, error))
    }
  }

  return (request, access) => {
    if (isPreflight(request)) return answerPreflight(request, access.origins)
    const started = clock.now()
    const exchange = toExchange(request, service, records)
    const close = (response: MockResponse): MaybePromise<MockResponse> =>
      after(leave(exchange, response), (left) => {
        const headers = corsHeaders(request, access.origins)
        const body = exchange.method === 'HEAD' ? null : left.body
        const sent = { status: left.status, headers: [...left.headers, ...headers, vary], body }
        onAnswer(toEntry(exchange, sent, started, clock.now() - started))
        return sent
      })
    try {
      const answered = walk(exchange, outer, 0)
      if (!(answered instanceof Promise)) return close(answered)
      return answered.catch((error: unknown) => fail(exchange, error)).then(close)
    } catch (error) {
      return close(fail(exchange, error))
    }
  }
}

const vary: [string, string] = ['Vary', 'Origin, Accept']

function hooksAt(hooks: readonly Hooks[], some: readonly Stage[]): Hook[] {
  return some.flatMap((stage) => hooks.flatMap((one) => one.at?.[stage] ?? []))
}

function toExchange(request: MockRequest, service: Service, records: RecordHooks): Exchange {
  const { method, path, origin, headers } = request
  return { request, method, path, origin, headers, params: [], service, records, reasons: [] }
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
