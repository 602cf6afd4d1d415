import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { isSafe } from '../../core/http/contract/messages.ts'
import type { ServerLimits } from '../../core/mock/serve-options.ts'
import { knownMethods, refuseConnection, refuseRequest } from './http/refuse.ts'

/** Refuses requests beyond the limits or against HTTP/1.1, passes on others, and keeps the order of a connection. */
export function guard(
  server: Server,
  { maxConnections = 1000, requestTimeout = 120_000 }: ServerLimits,
  handle: Handle,
): void {
  const lastResponses = new WeakMap<Duplex, ServerResponse>()
  /** Connections with a refusal that waits for the response in progress. */
  const refused = new WeakSet<Duplex>()
  /** Responses that wait for the previous one on their connection. */
  const queued = new WeakSet<ServerResponse>()
  let open = 0

  function queue(request: IncomingMessage, response: ServerResponse, onRead?: () => void): void {
    // Node assigns the socket when the previous response on the connection has ended.
    const previous = response.socket === null ? lastResponses.get(request.socket) : undefined
    lastResponses.set(request.socket, response)
    if (!previous || (isRead(request) && isRead(previous.req) && !queued.has(previous))) {
      return admit(request, response, onRead)
    }
    queued.add(response)
    previous.once('close', () => {
      if (request.socket.writable) admit(request, response, onRead)
    })
  }

  function admit(request: IncomingMessage, response: ServerResponse, onRead?: () => void): void {
    const { length } = request.rawHeaders
    if (open > maxConnections) {
      refuseRequest(response, 429, `There are more than ${maxConnections} connections.`)
    } else if (length > 2 * maxHeaders) {
      refuseRequest(response, 431, `The request has more than ${maxHeaders} header lines.`)
    } else if (!hasValidHost(request)) {
      refuseRequest(response, 400, 'The request has more than one Host header, or an invalid one.')
    } else if (hasUnknownCoding(request)) {
      refuseRequest(response, 400, 'The only supported transfer coding is chunked.')
    } else if (request.url === '*') {
      response.writeHead(204, { Allow: knownMethods.join(', '), 'Cache-Control': 'no-store' }).end()
    } else handle(request, response, onRead)
  }

  // A client may end its side after its last request, as netcat does, and still gets the responses.
  Object.assign(server, { httpAllowHalfOpen: true })
  server.maxConnections = 2 * maxConnections
  server.on('connection', (socket) => {
    open++
    socket.once('close', () => open--)
    // The client may also have gone, which only a write would show.
    socket.once('end', () => socket.setTimeout(requestTimeout))
  })
  server.on('request', queue)
  // Without 100 Continue the client may or may not send the body, so Node closes the connection.
  server.on('checkContinue', (request, response) => {
    queue(request, response, () => response.writeContinue())
  })
  server.on('checkExpectation', (_, response) =>
    refuseRequest(response, 417, 'The only supported expectation is 100-continue.'),
  )
  server.on('connect', (_, socket) => refuse(socket, 405, 'This server is not a proxy.'))
  server.on('clientError', (error: ClientError, socket) => {
    const isDisconnected = /^(?:ECONN|EPIPE|ERR_SSL|ERR_TLS)/.test(error.code ?? '')
    if (isDisconnected) socket.destroy()
    else refuse(socket, ...explain(error))
  })

  /** Refuses bytes that are not a request, after the responses to the requests before them. */
  function refuse(socket: Duplex, status: number, detail: string): void {
    const current = lastResponses.get(socket)
    // A response that was sent completely counts as destroyed, too.
    const isInProgress = current?.destroyed === false
    if (isInProgress && current.req.complete) {
      // Node reports later bytes of the connection too; one refusal is enough.
      if (!refused.has(socket)) current.once('close', () => refuse(socket, status, detail))
      return void refused.add(socket)
    }
    if (!socket.writable || (isInProgress && current.headersSent)) socket.destroy()
    else refuseConnection(socket, status, detail)
  }
}

/** Converts the limits of a server to the options of `node:http`. */
export function toSettings(limits: ServerLimits): ServerOptions {
  const { headersTimeout = 30_000, requestTimeout = 120_000 } = limits
  return {
    headersTimeout: Math.min(headersTimeout, requestTimeout),
    requestTimeout,
    maxHeaderSize,
    connectionsCheckingInterval: Math.min(1000, headersTimeout, requestTimeout),
    // Longer than clients keep idle connections, so that none is closed while a request is sent.
    keepAliveTimeout: 65_000,
  }
}

/** Handles a request; `onRead` is called before its body is read. */
export type Handle = (
  request: IncomingMessage,
  response: ServerResponse,
  onRead?: () => void,
) => void

/** The maximum size of a request's header section including the request line, in bytes. */
const maxHeaderSize = 48 * 1024

/** The maximum number of header lines of a request. */
const maxHeaders = 200

interface ClientError extends Error {
  code?: string
  bytesParsed?: number
  rawPacket?: Uint8Array
}

function explain(error: ClientError): [status: number, detail: string] {
  const { code, rawPacket } = error
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return [408, 'The request took too long to arrive.']
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return [413, 'The chunk extensions are too long.']
  if (code === 'HPE_INVALID_URL') return [400, 'The URL has a byte that has to be percent-encoded.']
  const method = code === 'HPE_INVALID_METHOD' && methodIn(error)
  if (method) {
    const known = knownMethods.find((name) => name === method.toUpperCase())
    const advice = known ? ` Please write ${known}.` : ''
    return [405, `Node ${process.versions.node} does not support the method ${method}.${advice}`]
  }
  if (code !== 'HPE_HEADER_OVERFLOW') return [400, 'The request is not valid HTTP/1.1.']
  const isLongLine =
    rawPacket && rawPacket.length > 16_384 && !rawPacket.subarray(0, 16_384).includes(10)
  if (isLongLine) return [414, 'The URL is too long.']
  return [431, `The request header has more than ${maxHeaderSize} bytes.`]
}

/** The method in an otherwise valid request line (RFC 9112 §3). Node before 20.19.2 rejects QUERY. */
function methodIn({
  rawPacket = new Uint8Array(),
  bytesParsed = 0,
}: ClientError): string | undefined {
  const text = Buffer.from(rawPacket).toString('latin1')
  const line = text.slice(text.lastIndexOf('\n', bytesParsed - 1) + 1)
  return /^([\w!#$%&'*+.^`|~-]{1,64}) \S+ HTTP\/1\.1\r\n/.exec(line)?.[1]
}

/** Whether the method is safe, so that pipelined requests may be processed in parallel (RFC 9112 §9.3.2). */
function isRead({ method = '' }: IncomingMessage): boolean {
  return isSafe(method)
}

/** Whether there is at most one `Host`, and a valid one, as RFC 9112 §3.2 requires. */
function hasValidHost({ rawHeaders, headers }: IncomingMessage): boolean {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts <= 1 && isAuthority.test(headers.host ?? '')
}

/** A host with an optional port (RFC 3986 §3.2), or nothing. */
const isAuthority = /^(?:\[[\da-f.:]+\]|[\w!$%&'()*+,\-.;=~]*)(?::\d*)?$/i

/** Whether the body has a transfer coding (RFC 9112 §6.1) that Node does not decode: any but chunked. */
function hasUnknownCoding({ headers }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding']
  return coding !== undefined && coding.trim().toLowerCase() !== 'chunked'
}
