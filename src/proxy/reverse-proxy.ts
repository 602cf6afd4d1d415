import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
// Imported, because fake timers replace the globals and Jest's jsdom removes them.
import { clearTimeout, setTimeout } from 'node:timers'
import type { MockError } from '../core/errors/mock-error.ts'
import type { HeaderList } from '../core/http/contract/messages.ts'
import type { Ends } from '../core/proxy/ends.ts'
import { slowUpstream, toGatewayError } from '../core/proxy/gateway-error.ts'
import { createLoopMark, type LoopMark } from '../core/proxy/loop.ts'
import { toUpstreamHeaders, toClientHeaders } from '../core/proxy/headers.ts'
import { isLocalOrigin } from '../faces/web/origins.ts'
import { dropConnection, refuseRequest } from '../faces/node/http/refuse.ts'
import { splitTarget } from '../faces/node/http/request.ts'
import { createCapture, type ProxiedExchange } from './exchange.ts'
import { toPairs, isStale, type Upstream } from './upstream.ts'

/** Creates a reverse proxy that streams both ways and passes on aborts; a server that is down or slow is a 502 or 504. */
export function createReverseProxy(options: ReverseProxyOptions): PassOn {
  const { upstream, ownOf, headers: given, codings, timeout, limit, onExchange } = options
  const { loop = createLoopMark() } = options
  return (request, response, onRead) => {
    const ends = { own: ownOf(request), upstream: upstream.origin }
    const exchange = toExchange(request, upstream.origin, limit)
    const { method, path } = exchange
    const added = { ...loop.toHeader(exchange.requestHeaders), ...given }
    const headers = [
      ...toUpstreamHeaders(exchange.requestHeaders, { ...ends, added, codings }),
      ...toFraming(request),
    ]
    const started = performance.now()
    const send = (): ClientRequest =>
      upstream.request({ method, path, headers }).once('response', onResponse)
    let sent = send()
    let isAnswered = false
    const timer = setTimeout(() => fail(slowUpstream(upstream.origin, timeout)), timeout)

    function onResponse(incoming: IncomingMessage): void {
      try {
        writeHead(incoming, response, ends)
      } catch (error) {
        fail(toGatewayError(upstream.origin, error))
        return
      }
      clearTimeout(timer)
      isAnswered = true
      exchange.status = response.statusCode
      exchange.headers = toPairs(incoming.rawHeaders)
      incoming.on('data', (chunk: Buffer) => exchange.body.add(chunk))
      incoming.once('end', () => response.addTrailers(toPairs(incoming.rawTrailers)))
      // `pipeline` would make an abort controller and an error for each response.
      incoming.on('error', breakOff).once('close', () => incoming.complete || breakOff())
      incoming.pipe(response)
    }

    function breakOff(): void {
      exchange.failure ||= 'the connection broke off'
      dropConnection(response)
    }

    function fail(error: MockError): void {
      clearTimeout(timer)
      if (isAnswered || response.destroyed) return
      isAnswered = true
      sent.destroy()
      exchange.failure = error.message
      exchange.status = error.status
      allowOwnPages(request, response)
      refuseRequest(response, error.status, error.message)
    }

    function onError(error: Error): void {
      if (!isAnswered && isStale(sent, error) && !hasBody(request)) {
        sent = send().on('error', onError)
        sent.end()
      } else fail(toGatewayError(upstream.origin, error))
    }

    function passBody(): void {
      if (isAnswered) return
      onRead?.()
      if (hasBody(request)) request.pipe(sent)
      else sent.end()
    }

    sent.on('error', onError)
    response.once('close', () => {
      clearTimeout(timer)
      if (!response.writableFinished) {
        exchange.failure ||= 'the client aborted the request'
        sent.destroy()
      }
      exchange.ms = performance.now() - started
      onExchange(exchange)
    })
    request.on('data', (chunk: Buffer) => {
      exchange.requestBody.add(chunk)
      timer.refresh()
    })
    request.pause()
    if (onRead) waitForContinue(sent, timeout, passBody)
    else passBody()
  }
}

/** Passes a request on; `onRead` is called before its body is read, for a client that waits for 100 Continue. */
export type PassOn = (
  request: IncomingMessage,
  response: ServerResponse,
  onRead?: () => void,
) => void

/** The options of {@link createReverseProxy}. */
export interface ReverseProxyOptions {
  upstream: Upstream
  /** Returns the origin of the proxy, as the client wrote it. */
  ownOf(request: IncomingMessage): string
  /** Headers that are set on every request. */
  headers?: Readonly<Record<string, string>> | undefined
  /** The mark by which the proxy recognizes its own requests. */
  loop?: LoopMark | undefined
  /** The content codings to accept in responses; undefined for all that the client accepts. */
  codings?: readonly string[] | undefined
  /** The time limit for the beginning of a response, in milliseconds. */
  timeout: number
  /** The largest body that is captured, in bytes. */
  limit: number
  /** Is called with each exchange after its response was sent or the connection broke off. */
  onExchange(exchange: ProxiedExchange): void
}

/** Creates the exchange of a request whose response has not begun. */
function toExchange(request: IncomingMessage, upstream: string, limit: number): ProxiedExchange {
  const { method = 'GET', url = '/', rawHeaders } = request
  const { path, search } = splitTarget(url)
  return {
    startedAt: Date.now(),
    ms: 0,
    method,
    path: path + search,
    url: upstream + path + search,
    requestHeaders: toPairs(rawHeaders),
    requestBody: createCapture(limit),
    status: 0,
    headers: [],
    body: createCapture(limit),
    failure: '',
  }
}

/** Writes the status line and the headers of a response. @throws for a status line that Node reads and cannot write */
function writeHead(incoming: IncomingMessage, response: ServerResponse, ends: Ends): void {
  const { statusCode = 502, statusMessage = '', headers, rawHeaders } = incoming
  const lines = toClientHeaders(toPairs(rawHeaders), ends).flat()
  // Node would add a date; the server behind the proxy decides.
  response.sendDate = false
  try {
    response.writeHead(statusCode, statusMessage, lines)
  } catch (error) {
    Object.assign(response, { sendDate: true, statusMessage: '' })
    throw error
  }
  // An event stream has to begin before its first event; other headers are sent with the first bytes.
  if (headers['content-length'] === undefined) response.flushHeaders()
}

/** Calls back when the server asks for the body, or after a second: not every server sends 100 (RFC 9110 §10.1.1). */
function waitForContinue(sent: ClientRequest, timeout: number, proceed: () => void): void {
  let isDone = false
  const once = (): void => {
    clearTimeout(timer)
    if (!isDone) proceed()
    isDone = true
  }
  const timer = setTimeout(once, Math.min(1000, timeout))
  sent.once('continue', once)
  sent.once('close', () => clearTimeout(timer))
  sent.flushHeaders()
}

/** Whether a request has a body (RFC 9112 §6.3). */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** The headers that frame a body without a length; without them, Node would announce a body. */
function toFraming({ headers, method = 'GET' }: IncomingMessage): HeaderList {
  if (headers['content-length'] !== undefined) return []
  if (headers['transfer-encoding'] !== undefined) return [['Transfer-Encoding', 'chunked']]
  return /^(?:POST|PUT|PATCH)$/.test(method) ? [['Content-Length', '0']] : []
}

/** Lets pages of this machine read an error of the proxy. */
function allowOwnPages({ headers }: IncomingMessage, response: ServerResponse): void {
  const { origin } = headers
  if (origin === undefined || !isLocalOrigin(origin)) return
  response.setHeader('Access-Control-Allow-Origin', origin)
  response.setHeader('Access-Control-Allow-Credentials', 'true')
  response.setHeader('Vary', 'Origin')
}
