import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { isSafe } from '../../core/http/routing/methods.ts'
import type { ServerLimits } from '../../core/mock/serve-options.ts'
import { knownMethods, refuseConnection, refuseRequest } from './http/refuse.ts'

/** The largest header of a request, its URL included, in bytes. */
const maxHeaderSize = 48 * 1024

/** The most header lines of a request. */
const maxHeaders = 200

/** The settings of a server that keeps these limits. */
export function toSettings(limits: ServerLimits): ServerOptions {
  const { headersTimeout = 30_000, requestTimeout = 120_000 } = limits
  return {
    headersTimeout: Math.min(headersTimeout, requestTimeout),
    requestTimeout,
    maxHeaderSize,
    connectionsCheckingInterval: Math.min(1000, headersTimeout, requestTimeout),
    // Clients that use a connection again should not find it closed the moment they do.
    keepAliveTimeout: 65_000,
  }
}

/** Handles a request; `onRead` is called before its body is read. */
export type Handle = (
  request: IncomingMessage,
  response: ServerResponse,
  onRead?: () => void,
) => void

/** Lets requests that keep the limits through to the handler, and refuses the others by name. */
export function guard(
  server: Server,
  { maxConnections = 1000, requestTimeout = 120_000 }: ServerLimits,
  handle: Handle,
): void {
  /** The last answer on each connection. */
  const answers = new WeakMap<Duplex, ServerResponse>()
  const refused = new WeakSet<Duplex>()
  /** Answers that wait for the one before them on their connection. */
  const held = new WeakSet<ServerResponse>()
  let open = 0

  function queue(request: IncomingMessage, response: ServerResponse, onRead?: () => void): void {
    // Without a socket as yet it is behind another.
    const before = response.socket === null ? answers.get(request.socket) : undefined
    answers.set(request.socket, response)
    if (!before || (onlyReads(request) && onlyReads(before.req) && !held.has(before))) {
      return admit(request, response, onRead)
    }
    held.add(response)
    before.once('close', () => {
      if (request.socket.writable) admit(request, response, onRead)
    })
  }

  function admit(request: IncomingMessage, response: ServerResponse, onRead?: () => void): void {
    const { length } = request.rawHeaders
    if (open > maxConnections) {
      refuseRequest(response, 429, `There are more than ${maxConnections} connections.`)
    } else if (length > 2 * maxHeaders) {
      refuseRequest(response, 431, `The request has more than ${maxHeaders} header lines.`)
    } else if (!namesOneHost(request)) {
      refuseRequest(response, 400, 'The request has more than one Host, or one that is none.')
    } else if (isCoded(request)) {
      refuseRequest(response, 400, 'The only transfer coding that is known is chunked.')
    } else if (request.url === '*') {
      response.writeHead(204, { Allow: knownMethods.join(', '), 'Cache-Control': 'no-store' }).end()
    } else handle(request, response, onRead)
  }

  // Whoever has asked everything may close its half, as netcat does, and still gets its answers.
  Object.assign(server, { httpAllowHalfOpen: true })
  server.maxConnections = 2 * maxConnections
  server.on('connection', (socket) => {
    open++
    socket.once('close', () => open--)
    // Or it has gone, which only an answer would tell.
    socket.once('end', () => socket.setTimeout(requestTimeout))
  })
  server.on('request', queue)
  // Node ends the connection of a client that was not told to go on: it may send the body or not.
  server.on('checkContinue', (request, response) => {
    queue(request, response, () => response.writeContinue())
  })
  server.on('checkExpectation', (_, response) =>
    refuseRequest(response, 417, 'The only expectation that can be met is 100-continue.'),
  )
  server.on('connect', (_, socket) => refuse(socket, 405, 'This is no proxy.'))
  server.on('clientError', (error: ClientError, socket) => {
    const isLost = /^(?:ECONN|EPIPE|ERR_SSL|ERR_TLS)/.test(error.code ?? '')
    if (isLost) socket.destroy()
    else refuse(socket, ...explain(error))
  })

  /** Refuses what is no request, behind the answers to the requests that came before it. */
  function refuse(socket: Duplex, status: number, detail: string): void {
    const current = answers.get(socket)
    // One that has been sent counts as destroyed, too.
    const isUnderWay = current?.destroyed === false
    if (isUnderWay && current.req.complete) {
      // What comes behind what is no request is none either.
      if (!refused.has(socket)) current.once('close', () => refuse(socket, status, detail))
      return void refused.add(socket)
    }
    if (!socket.writable || (isUnderWay && current.headersSent)) socket.destroy()
    else refuseConnection(socket, status, detail)
  }
}

interface ClientError extends Error {
  code?: string
  bytesParsed?: number
  rawPacket?: Uint8Array
}

function explain(error: ClientError): [status: number, detail: string] {
  const { code, rawPacket } = error
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return [408, 'The request took too long to arrive.']
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return [413, 'The chunks have too long extensions.']
  if (code === 'HPE_INVALID_URL') return [400, 'The URL has a byte that has to be escaped.']
  const method = code === 'HPE_INVALID_METHOD' && methodIn(error)
  if (method) {
    const meant = knownMethods.find((one) => one === method.toUpperCase())
    const advice = meant ? ` Please write ${meant}.` : ''
    return [405, `Node ${process.versions.node} reads no method ${method}.${advice}`]
  }
  if (code !== 'HPE_HEADER_OVERFLOW') return [400, 'The request is no HTTP/1.1.']
  const isLine =
    rawPacket && rawPacket.length > 16_384 && !rawPacket.subarray(0, 16_384).includes(10)
  if (isLine) return [414, 'The URL is too long.']
  return [431, `The header of the request has more than ${maxHeaderSize} bytes.`]
}

/** The method of what is a request otherwise (RFC 9112 §3); before 20.19.2 Node reads no QUERY. */
function methodIn({
  rawPacket = new Uint8Array(),
  bytesParsed = 0,
}: ClientError): string | undefined {
  const text = Buffer.from(rawPacket).toString('latin1')
  const line = text.slice(text.lastIndexOf('\n', bytesParsed - 1) + 1)
  return /^([\w!#$%&'*+.^`|~-]{1,64}) \S+ HTTP\/1\.1\r\n/.exec(line)?.[1]
}

/** Whether a request changes nothing, so that it may be worked on beside others (RFC 9112 §9.3.2). */
function onlyReads({ method = '' }: IncomingMessage): boolean {
  return isSafe(method)
}

/** Two names for one server, or what is no name, could be read in two ways (RFC 9112 §3.2). */
function namesOneHost({ rawHeaders, headers }: IncomingMessage): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts <= 1 && isAuthority.test(headers.host ?? '')
}

/** A host and a port, or nothing, as where there is no host at all (RFC 3986 §3.2). */
const isAuthority = /^(?:\[[\da-f.:]+\]|[\w!$%&'()*+,\-.;=~]*)(?::\d*)?$/i

/** Node takes the chunks apart, and nothing else (RFC 9112 §6.1). */
function isCoded({ headers }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding']
  return coding !== undefined && coding.trim().toLowerCase() !== 'chunked'
}
