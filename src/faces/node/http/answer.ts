import type { IncomingMessage, ServerResponse, IncomingHttpHeaders } from 'node:http'
import { Readable, pipeline } from 'node:stream'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { setImmediate } from 'node:timers'
import { toMessage } from '../../../core/errors/error-details.ts'
import type { Answerer } from '../../../core/http/contract/answerer.ts'
import {
  type BodyStream,
  type MockResponse,
  isStream,
  headerOf,
  type HeaderList,
  isBytes,
  type MockRequest,
} from '../../../core/http/contract/messages.ts'
import type { ServerAccess } from './access.ts'
import { toOnAbort, readBytes, toMockRequest, toStreams } from './request.ts'
import { trackOpenStream } from './open-streams.ts'
import { dropConnection, refuseRequest } from './refuse.ts'
import { openSocket } from './sockets.ts'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { parsePreferences } from '../../../core/http/response/accept.ts'

/** Answers a request of `node:http` from a mock; calls `onRead` before it reads the body. */
export function answer(
  mock: Answerer,
  request: IncomingMessage,
  response: ServerResponse,
  access: ServerAccess,
  onRead?: () => void,
): void {
  try {
    const headers = withoutTagSuffixes(request.headers)
    const read = (limit: number): Promise<Buffer> => readBytes(request, limit, onRead)
    const onAbort = toOnAbort(response)
    const mockRequest = toMockRequest(request, headers, access.originOf, read, onAbort)
    if (request.method !== 'GET') Object.assign(mockRequest, toStreams(request, onRead))
    const answered = mock.handle(mockRequest, access)
    if (!(answered instanceof Promise)) return write(answered, request, response)
    answered
      .then((ready) => write(ready, request, response))
      .catch((error: unknown) => fail(error, response))
  } catch (error) {
    fail(error, response)
  }
}

/** Responds with 500 if a response cannot be sent; closes the connection if its header was sent. */
export function fail(error: unknown, response: ServerResponse): void {
  if (response.headersSent) return dropConnection(response)
  refuseRequest(response, 500, `Failed to send the response: ${toMessage(error)}.`)
}

/** Sends a response of the mock, compressed if the client accepts it. */
export function write(
  plain: MockResponse,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  if (plain.status === 0) return dropConnection(response)
  if (plain.socket) {
    return void openSocket(request, response, plain).catch((error: unknown) =>
      fail(error, response),
    )
  }
  const answered = withClientTag(plain, request.headers['if-none-match'])
  const accepted = request.headers['accept-encoding']
  const coding = chooseCoding(accepted, answered)
  if (coding === undefined) return sendSoon(answered, response)
  encode(answered, coding)
    .then((encoded) => sendSoon(encoded, response))
    .catch((error: unknown) => fail(error, response))
}

const sendSoon = inBatches((answer, response) => {
  try {
    send(answer, response)
  } catch (error) {
    fail(error, response)
  }
})

function send({ status, headers, body }: MockResponse, response: ServerResponse): void {
  const lines: string[] = []
  let length: number | undefined
  for (const [name, value] of headers) {
    lines.push(name, value)
    if (name === 'Content-Length') length = Number(value)
  }
  if (isStream(body)) {
    response.writeHead(status, lines)
    // Applies back pressure; destroys the stream and the response when either fails.
    pipeline(toReadable(body), response, () => undefined)
    return trackOpenStream(headers, response)
  }
  if (body === null) {
    if (length === undefined && hasBody(status, response)) lines.push('Content-Length', '0')
    return void response.writeHead(status, lines).end()
  }
  if (length === undefined) {
    // The control API and a compressed body have no length yet.
    length = Buffer.byteLength(body)
    lines.push('Content-Length', String(length))
  }
  response.writeHead(status, lines)
  // Node writes a string together with the header. `latin1` is the fastest encoding, and right where
  // every character is ASCII.
  if (typeof body !== 'string') response.end(body)
  else response.end(body, length === body.length ? 'latin1' : 'utf8')
}

/**
 * Converts a body to a Node stream. Iteration would notice a closed connection only with the next chunk
 * of a `ReadableStream`, so `fromWeb` reads it. Jest's jsdom has no global `ReadableStream` to test for.
 */
function toReadable(body: BodyStream): Readable {
  const isWebStream = 'getReader' in body
  return isWebStream
    ? Readable.fromWeb(body as WebStream)
    : Readable.from(body, { objectMode: false })
}

/** Whether a client expects a body after the header (RFC 9112 §6.3). */
function hasBody(status: number, { req }: ServerResponse): boolean {
  return req.method !== 'HEAD' && status !== 204 && status !== 304
}

/**
 * Writes the responses of one turn of the event loop together: reads become a tenth faster and writes a fifth,
 * as the processor does not alternate, and a client wakes up once for many responses.
 */
function inBatches(send: Send): Send {
  let waiting: [MockResponse, ServerResponse][] = []
  let since = 0

  function flush(): void {
    const batch = waiting
    waiting = []
    for (const [answer, response] of batch) send(answer, response)
  }

  return (answer, response) => {
    const count = waiting.push([answer, response])
    if (count === 1) {
      since = performance.now()
      setImmediate(flush)
    } else if (performance.now() - since > MAX_WAIT_MS) flush()
  }
}

type Send = (answer: MockResponse, response: ServerResponse) => void

/** The maximum time that a response waits for others, in milliseconds. */
const MAX_WAIT_MS = 1

/** The content coding that the client prefers (RFC 9110 §12.5.3); undefined to send the body uncompressed. */
function chooseCoding(
  accepted: string | undefined,
  { headers, body }: MockResponse,
): Coding | undefined {
  if (accepted === undefined || sizeOf(body, headers) < minSize) return undefined
  if (headerOf(headers, 'Content-Encoding') !== undefined) return undefined
  // Images and archives are already compressed.
  if (!/json|text|xml|script/.test(headerOf(headers, 'Content-Type') ?? '')) return undefined
  const wanted = parsePreferences(accepted)
  const qualityOf = (coding: Coding): number =>
    (wanted.find(({ name }) => name === coding) ?? wanted.find(({ name }) => name === '*'))
      ?.quality ?? 0
  const [best] = codings.toSorted((one, other) => qualityOf(other) - qualityOf(one))
  return best !== undefined && qualityOf(best) > 0 ? best : undefined
}

/** Compresses a response, and adds a suffix to its ETag, because its bytes differ (RFC 9110 §8.8.3.3). */
async function encode(response: MockResponse, coding: Coding): Promise<MockResponse> {
  const { status, body } = response
  const headers: HeaderList = response.headers
    .filter(([name]) => name !== 'Content-Length')
    .map(([name, value]) => [name, name === 'ETag' ? withSuffix(value, coding) : value])
  headers.push(['Content-Encoding', coding])
  const isWhole = typeof body === 'string' || isBytes(body)
  return { status, headers, body: isWhole ? await compress(body, coding) : body }
}

type Coding = 'br' | 'gzip'

/** The compression of each coding. The first coding wins if a client prefers neither. */
const compressors: Readonly<Record<Coding, (body: string | Uint8Array) => Promise<Buffer>>> = {
  br: (body) => compressBrotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (body) => compressGzip(body),
}

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

const codings = Object.keys(compressors) as Coding[]

/** The minimum size of a body to compress, in bytes. */
const minSize = 1024

/** Compressed bytes by their original, for as long as the core caches the original. */
const compressedBytes = new WeakMap<Uint8Array, Partial<Record<Coding, Promise<Buffer>>>>()

function compress(body: string | Uint8Array, coding: Coding): Promise<Buffer> {
  if (typeof body === 'string') return compressors[coding](body)
  const found = compressedBytes.get(body) ?? {}
  compressedBytes.set(body, found)
  return (found[coding] ??= compressors[coding](body))
}

/** Removes the suffixes of compressed responses from the ETags in `If-None-Match` and `If-Match`. */
function withoutTagSuffixes(received: IncomingHttpHeaders): MockRequest['headers'] {
  const headers = received as MockRequest['headers']
  if (headers['if-none-match'] === undefined && headers['if-match'] === undefined) return headers
  const withoutSuffix = (name: string): string | undefined =>
    headers[name]?.replaceAll(suffixes, '"')
  return {
    ...headers,
    'if-none-match': withoutSuffix('if-none-match'),
    'if-match': withoutSuffix('if-match'),
  }
}

/** Gives a 304 the ETag that the client sent, with the suffix of a compressed response if it has one. */
function withClientTag(response: MockResponse, sent: string | undefined): MockResponse {
  if (response.status !== 304 || sent === undefined) return response
  const headers = response.headers.map(([name, value]): HeaderList[number] => {
    if (name !== 'ETag') return [name, value]
    const tags = [value, ...codings.map((coding) => withSuffix(value, coding))]
    return [name, tags.find((tag) => sent.includes(tag)) ?? value]
  })
  return { ...response, headers }
}

const suffixes = /-(?:br|gzip)"/g

function withSuffix(tag: string, coding: Coding): string {
  return tag.replace(/"$/, `-${coding}"`)
}

/** The size of a body in bytes; a response to HEAD states it in `Content-Length`. */
function sizeOf(body: MockResponse['body'], headers: HeaderList): number {
  if (typeof body === 'string' || isBytes(body)) return Buffer.byteLength(body)
  if (body !== null) return 0
  return Number(headerOf(headers, 'Content-Length') ?? 0)
}
