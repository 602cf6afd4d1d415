import type { Clock } from '../../time/clock.ts'
import type { Log, LoggedExchange } from '../../log/log.ts'
import type { Exchange } from '../contract/exchange.ts'
import { toEndable } from '../response/streams.ts'
import type { Access } from '../contract/answerer.ts'
import {
  headerOf,
  type HeaderList,
  isBodiless,
  isBytes,
  isStream,
  type MockRequest,
  type MockResponse,
} from '../contract/messages.ts'
import { corsHeaders, describeRefusal } from '../cors/cors.ts'
import { isWide } from '../response/record-json.ts'

/** Creates the last step: adds `Vary`, `Content-Length` and CORS headers, removes the body for HEAD, and logs. */
export function createComplete({ clock, encode, log }: CompleteOptions): Complete {
  return (exchange, response, started) => {
    const { request, access, method } = exchange
    const { status, headers: lines } = response
    const { origins } = access
    const cors = corsHeaders(request, origins, lines)
    const isEmpty = isBodiless(status)
    const body = isEmpty || method === 'HEAD' ? null : response.body
    const size = sizeOf(response.body, response === exchange.cached, encode)
    const headers = [...lines, ...cors, vary]
    // The GET of a HEAD without a body may have one (RFC 9110 §8.6).
    const hasLength = !isEmpty && (response.body !== null || method !== 'HEAD')
    if (hasLength && size !== undefined) headers.push(['Content-Length', String(size)])
    const refusal = cors.length > 0 ? undefined : toRefusal(exchange, lines)
    if (refusal !== undefined) exchange.reasons.push(refusal)
    // A reset clears the log, which a request from before the reset must not enter.
    const isLate = exchange.ended?.code === 'RESET'
    if (access.isInspection || isLate) return { status, headers, body }
    const stream = isStream(response.body) ? response.body : undefined
    const row = log.nextRow()
    row.time = started
    const received = request.received ?? request
    row.method = request.received?.method ?? method
    row.url = received.path + received.search
    row.headers = request.headers
    row.body = isLogged(exchange) ? exchange.body : undefined
    row.status = status
    row.ms = clock.now() - started
    row.bytes = body === null ? 0 : (size ?? 0)
    row.reason = exchange.reasons.length === 0 ? '' : toReason(exchange.reasons)
    row.origin = request.origin
    row.httpVersion = request.httpVersion
    row.received = exchange.rawBody
    row.lines = lines
    row.origins = origins
    row.content = stream ? stream.source?.body : (response.body as LoggedExchange['content'])
    row.end = stream?.source?.end
    log.add(row)
    return { status, headers, body }
  }
}

/** Completes the response of an exchange for the face; `started` is the time at which the exchange began. */
export type Complete = (exchange: Exchange, response: MockResponse, started: number) => MockResponse

/** The clock that measures durations, the UTF-8 encoder that measures bodies, and the log. */
export interface CompleteOptions {
  clock: Clock
  encode(text: string): Uint8Array
  /** The log, which gets each exchange when the response is complete. */
  log: Pick<Log, 'nextRow' | 'add' | 'insert'>
}

/** The exchange of a refused preflight, for the log, as no further request would show it; else undefined. */
export function toPreflightExchange(
  request: MockRequest,
  { origins }: Access,
  { status, headers: lines }: MockResponse,
  time: number,
): Partial<LoggedExchange> | undefined {
  const refusal = describeRefusal(request, origins, lines)
  if (refusal === undefined) return undefined
  const { method, path, search, headers, origin, httpVersion } = request
  return {
    time,
    method,
    url: path + search,
    headers,
    status,
    reason: toReason([refusal]),
    origin,
    httpVersion,
    lines,
    content: null,
  }
}

/** Returns the headers of a logged response as they were sent, but without the length. */
export function toSentHeaders(exchange: LoggedExchange): HeaderList {
  const { lines, origins } = exchange
  return origins === undefined ? lines : [...lines, ...corsHeaders(exchange, origins, lines), vary]
}

/** Describes why a page cannot read the response, unless the error of the access check has done so. */
function toRefusal({ request, access, reasons }: Exchange, given: HeaderList): string | undefined {
  if (reasons.some((reason) => reason.includes('--cors-origin'))) return undefined
  return describeRefusal(request, access.origins, given)
}

const vary: HeaderList[number] = ['Vary', 'Origin, Accept, Accept-Encoding, Prefer']

/** Returns the size of a body in bytes; undefined for a stream. A cached string has one byte for each character. */
function sizeOf(
  body: MockResponse['body'],
  isCached: boolean,
  encode: CompleteOptions['encode'],
): number | undefined {
  if (typeof body !== 'string') {
    if (body === null) return 0
    return isBytes(body) ? body.length : (body.size ?? undefined)
  }
  return !isCached && isWide(body) ? encode(body).length : body.length
}

/** The largest request body in the log, in bytes, or in characters without a `Content-Length`. */
const LOGGED_BODY = 16 * 1024

function isLogged({ body, headers }: Exchange): boolean {
  if (body === undefined) return false
  const size = headers['content-length'] ?? JSON.stringify(body).length
  return Number(size) <= LOGGED_BODY
}

/** The reasons as one bounded line without control characters, which could move a terminal's cursor. */
function toReason(reasons: readonly string[]): string {
  return reasons
    .join('; ')
    .slice(0, 500)
    .replaceAll(/[^\x20-\x7E\xA0-\uFFFF]/g, ' ')
}

/** Ends an event stream with the fork of a session or a login (`bindStream`); its client then connects anew. */
export function endWithOwners(
  { streamEnders = [] }: Exchange,
  response: MockResponse,
  onWorldEnd: OnEnd,
): MockResponse {
  const { body, headers } = response
  if (!isStream(body)) return response
  if (!headerOf(headers, 'Content-Type')?.startsWith('text/event-stream')) return response
  const stream = toEndable(body)
  for (const bind of [onWorldEnd, ...streamEnders]) stream.onEnd(bind(stream.end))
  return { ...response, body: stream.body }
}

/** Registers a function that is called when the mock or fork ends. Returns a function that removes it. */
export type OnEnd = (callback: () => void) => () => void
