import { type Hook, type Hooks, type Stage, stages } from '../contract/behaviour.ts'
import type { Clock } from '../../time/clock.ts'
import type { Result } from '../../dialects/contract/dialect.ts'
import { MockError } from '../../errors/mock-error.ts'
import type { JsonRecord } from '../../json/json.ts'
import type { LogEntry } from '../../log/log.ts'
import { parseParams } from '../../url/params.ts'
import { checkAccept } from '../response/accept.ts'
import { act } from './act.ts'
import type { Access } from '../contract/answerer.ts'
import { createAnswers, isWide } from '../response/response-cache.ts'
import { toEntry, toSent } from './ending.ts'
import type { Exchange, RecordHooks, Routed, Service } from '../contract/exchange.ts'
import { createFail } from './fail.ts'
import { validityOf, write } from '../response/finish.ts'
import { checkUrl } from '../contract/limits.ts'
import {
  after,
  isBytes,
  type MaybePromise,
  type MockRequest,
  type MockResponse,
} from '../contract/messages.ts'
import { timeOf } from '../response/modified.ts'
import { corsHeaders } from '../cors/origins.ts'
import { findPlain, isPlain, readPlain } from './plain.ts'
import { answerPreflight, isPreflight } from '../cors/preflight.ts'
import { asGiven } from '../response/represent.ts'
import { rescue } from './rescue.ts'
import { locate } from './serve-whole.ts'
import { settle } from '../response/settle.ts'
import { findTarget } from '../routing/target.ts'

/** What a pipeline is made of. */
export interface PipelineOptions {
  service: Service
  clock: Clock
  hooks: readonly Hooks[]
  /** Writes a text as UTF-8. */
  encode(text: string): Uint8Array
  /** Gives the `Last-Modified` of a record, where it has one. */
  modifiedOf(record: JsonRecord): string | undefined
  /** How much of its answers it keeps, in bytes. @default 134217728 */
  room?: number | undefined
  /** Hears of a request when it is answered. */
  onAnswer(entry: LogEntry): void
  /** Hears of a failure that nobody expected. */
  onFailure(error: unknown, doing: string): void
}

/** Answers requests, at once where nothing has to be waited for; `came` is when they came, where they had to wait. */
export type Pipeline = (
  request: MockRequest,
  access: Access,
  came?: number,
) => MaybePromise<MockResponse>

/** Creates the way of a request: preflight, behaviours, target, action, answer, behaviours again. */
export function createPipeline(options: PipelineOptions): Pipeline {
  const { service, clock, hooks, encode, modifiedOf, room, onAnswer } = options
  const { dialect, limits } = service
  const fail = createFail(options)
  const inside = stages.indexOf('auth')
  const outer = hooksAt(hooks, stages.slice(0, inside))
  const inner = hooksAt(hooks, stages.slice(inside))
  const records: RecordHooks = {
    lists: hooks.flatMap((one) => one.list ?? []),
    views: hooks.flatMap((one) => one.view ?? []),
    writes: [
      ...hooks.flatMap((one) => one.beforeWrite ?? []),
      ...hooks.flatMap((one) => one.write ?? []),
      ...hooks.flatMap((one) => one.check ?? []),
    ],
    show,
  }

  // What a hook does to a read cannot be told from the request alone.
  const isPlainWay = inner.length + records.lists.length + records.views.length === 0
  const hasPlainReads = isPlainWay && !dialect.locate && !dialect.serve
  const answers = isPlainWay
    ? createAnswers({
        version: () => service.store.version,
        encode,
        limit: room,
      })
    : undefined

  /** Asks one hook after the other; the first answer ends the way. */
  function walk(exchange: Exchange, way: readonly Hook[], at: number): MaybePromise<MockResponse> {
    const hook = way[at]
    if (!hook) return way === outer ? lookUp(exchange) : answer(exchange)
    return after(hook(exchange), (found) => {
      if (!found) return walk(exchange, way, at + 1)
      // What a behaviour answers is not kept: it may be about one client, or one moment.
      return asGiven('body' in found ? found : write(exchange, found, undefined, 'no-store'))
    })
  }

  function lookUp(exchange: Exchange): MaybePromise<MockResponse> {
    const known = answers?.get(exchange)
    if (known) {
      exchange.reasons.push(...known.reasons)
      checkAccept(exchange.headers['accept'])
      exchange.kept = known.response
      return settle(exchange, known.response)
    }
    exchange.told = exchange.reasons.length
    try {
      exchange.params = parseParams(exchange.search, limits.maxParams)
      exchange.target = dialect.locate
        ? locate(exchange)
        : (findPlain(exchange.path, service) ?? findTarget(exchange.path, service))
    } catch (error) {
      if (!(error instanceof MockError)) throw error
      exchange.missing = error
    }
    return walk(exchange, inner, 0)
  }

  function answer(exchange: Exchange): MaybePromise<MockResponse> {
    if (hasPlainReads && !exchange.missing && isPlain(exchange)) {
      const routed = exchange as Routed
      const { target } = routed
      const { kind, resource } = target
      const asked =
        kind === 'collection'
          ? dialect.parseList([], resource)
          : kind === 'member'
            ? { query: dialect.parseMember([], resource), ignored: [] }
            : undefined
      const result = readPlain(target, asked)
      if (result) return show(routed, result)
    }
    return act(exchange)
  }

  function show(routed: Routed, result: Result): MockResponse {
    const validity = validityOf(routed, result, modifiedOf)
    const response = write(routed, dialect.render(result, routed), validity)
    // Its `Last-Modified` is still to come.
    const isAhead = result.type === 'record' && (timeOf(result.record) ?? 0) > clock.now()
    if (!isAhead) answers?.keep(routed, response)
    return response
  }

  function leave(exchange: Exchange, response: MockResponse): MaybePromise<MockResponse> {
    const next = exchange.leaving?.pop()
    if (!next) return response
    return rescue(
      () => after(next(response), (left) => leave(exchange, left)),
      (error) => leave(exchange, fail(exchange, error)),
    )
  }

  return (request, access, came) => {
    if (isPreflight(request)) return answerPreflight(request, access.origins)
    const started = came ?? clock.now()
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
    if (came !== undefined) exchange.waited = clock.now() - came
    const end = (left: MockResponse): MockResponse => {
      const sent = toSent(left, corsHeaders(request, access.origins, left.headers))
      if (exchange.method === 'HEAD') takeBody(sent, encode)
      const reason = exchange.reasons.length === 0 ? '' : toReason(exchange.reasons)
      const entry = toEntry(exchange, sent, { time: started, ms: clock.now() - started, reason })
      const { body } = sent
      if (left !== exchange.kept && typeof body === 'string' && isWide(body)) {
        entry.bytes = encode(body).length
      }
      if (isLogged(exchange)) entry.body = exchange.sent
      onAnswer(entry)
      return sent
    }
    const close = (response: MockResponse): MaybePromise<MockResponse> =>
      exchange.leaving ? after(leave(exchange, toOwn(response)), end) : end(response)
    try {
      checkUrl(request, limits)
      access.check?.(request)
      const walked = walk(exchange, outer, 0)
      if (!(walked instanceof Promise)) return close(walked)
      const answered = walked.catch((error: unknown) => fail(exchange, error))
      const timely = exchange.within?.(answered).catch((error: unknown) => fail(exchange, error))
      return (timely ?? answered).then(close)
    } catch (error) {
      return close(fail(exchange, error))
    }
  }
}

function hooksAt(hooks: readonly Hooks[], some: readonly Stage[]): Hook[] {
  return some.flatMap((stage) => hooks.flatMap((one) => one.at?.[stage] ?? []))
}

/** A response that may be changed in place, as the one that is given may be kept. */
function toOwn(response: MockResponse): MockResponse {
  return { ...response, headers: response.headers.map((line) => [...line]) }
}

/** Takes the body away, and says how long it would be (RFC 9110 §9.3.2). */
function takeBody(response: MockResponse, encode: PipelineOptions['encode']): void {
  const { body, headers } = response
  const bytes = typeof body === 'string' ? encode(body) : body
  if (isBytes(bytes)) headers.push(['Content-Length', String(bytes.length)])
  response.body = null
}

/** The largest body that the log keeps, in bytes, or in characters where a face does not tell them. */
const LOGGED_BODY = 16 * 1024

function isLogged({ sent, headers }: Exchange): boolean {
  if (sent === undefined) return false
  const size = headers['content-length'] ?? JSON.stringify(sent).length
  return Number(size) <= LOGGED_BODY
}

/** The reasons as one bounded line, with nothing in it that moves a terminal. */
function toReason(reasons: readonly string[]): string {
  return reasons
    .join('; ')
    .slice(0, 500)
    .replaceAll(/\p{Cc}/gu, ' ')
}
