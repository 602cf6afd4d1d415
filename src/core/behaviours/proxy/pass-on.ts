import type { MockError } from '../../errors/mock-error.ts'
import type { Exchange } from '../../http/contract/exchange.ts'
import {
  type BodyStream,
  type HeaderList,
  headerOf,
  type MockRequest,
  type MockResponse,
} from '../../http/contract/messages.ts'
import { originOf } from '../../proxy/ends.ts'
import type { Forward, ForwardResponse } from '../../proxy/forward.ts'
import { slowUpstream, toGatewayError } from '../../proxy/gateway-error.ts'
import { toUpstreamHeaders, toClientHeaders } from '../../proxy/headers.ts'
import type { Clock } from '../../time/clock.ts'
import { toChunks } from '../../http/response/streams.ts'
import type { ProxySettings } from './options.ts'
import { concatBytes } from '../shared/concat-bytes.ts'

/** Passes a request on to the real server. @throws MockError 502 or 504 without a response */
export async function passOn(
  exchange: Exchange,
  settings: ProxySettings,
  { clock, forward, record }: Passing,
): Promise<MockResponse> {
  const { request, method, service, access, reasons } = exchange
  const { upstream, timeout, isInsecure, isRecorded, loop } = settings
  const looped = loop.findLoop(request.headers['cdn-loop'], upstream)
  if (looped) throw looped
  const ends = { own: request.origin, upstream }
  const url = upstream + settings.rewrite(request.path + request.search, method)
  const sent = toPairs(request.headers)
  const body = await readBody(exchange, service.limits.maxBody)
  // MSW would answer the request of this function too; the HTTP server, which checks requests, has no MSW, and
  // it alone can get its own requests back.
  const own = access.check
    ? loop.toHeader(sent)
    : { Accept: `${request.headers['accept'] ?? '*/*'}, msw/passthrough` }
  const added = { ...own, ...settings.headers }
  const startedAt = clock.now()
  const response = await withinTime(exchange, clock, timeout, upstream, (onCancel) =>
    forward({
      method,
      url,
      headers: toUpstreamHeaders(sent, { ...ends, added }),
      body,
      isInsecure,
      onCancel,
    }),
  )
  const isUnrecorded = isRecorded && !record
  reasons.push(
    `proxied to ${upstream}${isUnrecorded ? ', not recorded: the mock was not loaded from files' : ''}`,
  )
  const { status, headers } = response
  const save =
    record &&
    ((bytes: Uint8Array): void =>
      record({
        startedAt,
        method,
        url: originOf(upstream) + request.path.slice(service.base.length) + request.search,
        status,
        headers,
        requestHeaders: sent,
        requestBody: body,
        body: bytes,
      }))
  return {
    status,
    // The mock itself answers CORS.
    headers: toClientHeaders(headers, ends).filter(([name]) => !/^access-control-/i.test(name)),
    body: await toBody(response, upstream, save),
  }
}

interface Passing {
  clock: Clock
  forward: Forward
  record: ((recording: Recording) => void) | undefined
}

/** A request to the real server and its response, which `record` learns fixtures from. */
export interface Recording {
  /** When the request was sent, in milliseconds since 1970. */
  startedAt: number
  method: string
  /** The URL at the real server, without the path prefix (option `base`) of the mock. */
  url: string
  requestHeaders: HeaderList
  requestBody: string | Uint8Array | undefined
  status: number
  headers: HeaderList
  body: Uint8Array
}

/** The largest body of known length that is read as a whole, so that the log has it, in bytes. */
const maxWhole = 1024 * 1024

/** The largest body that is recorded, in bytes. */
export const maxRecorded: number = 8 * 1024 * 1024

/** Returns the body as bytes, or as text if a hook has read the text; undefined for an empty body. */
async function readBody(
  { request, method }: Exchange,
  limit: number,
): Promise<string | Uint8Array | undefined> {
  if (method === 'GET' || method === 'HEAD') return undefined
  const body = await (request.bytes ?? request.text)(limit)
  return body.length > 0 ? body : undefined
}

/** Cancels the request if the time is over, if its client aborts, or if the mock is reset. */
async function withinTime(
  exchange: Exchange,
  clock: Clock,
  timeout: number,
  upstream: string,
  send: (onCancel: (listener: () => void) => void) => Promise<ForwardResponse>,
): Promise<ForwardResponse> {
  const listeners: (() => void)[] = []
  const cancels = (exchange.cancels ??= new Set())
  let cancel: (error: MockError) => void = () => undefined
  const cancelled = new Promise<never>((_, reject) => {
    cancel = (error) => {
      reject(error)
      for (const listener of listeners) listener()
    }
  })
  cancels.add(cancel)
  const stop = clock.after(timeout, () => cancel(slowUpstream(upstream, timeout)))
  try {
    const answered = send((listener) => listeners.push(listener)).catch((error: unknown) => {
      throw toGatewayError(upstream, error)
    })
    // The request may fail after it has lost the race; this error is ignored.
    answered.catch(() => undefined)
    return await Promise.race([answered, cancelled])
  } finally {
    stop()
    cancels.delete(cancel)
  }
}

/** Reads a short body of known length; leaves any other body a stream. `save` gets the bytes in both cases. */
async function toBody(
  { headers, body }: ForwardResponse,
  upstream: string,
  save: ((bytes: Uint8Array) => void) | undefined,
): Promise<BodyStream | Uint8Array | null> {
  const length = headerOf(headers, 'Content-Length')
  const isShort = length !== undefined && Number(length) <= maxWhole
  if (body !== null && !isShort) return save ? captureBody(body, maxRecorded, save) : body
  try {
    const bytes = body === null ? null : await readBytes(body)
    save?.(bytes ?? new Uint8Array())
    return bytes
  } catch (error) {
    throw toGatewayError(upstream, error)
  }
}

function toPairs(headers: MockRequest['headers']): HeaderList {
  return Object.entries(headers).flatMap(([name, value]): HeaderList =>
    value === undefined || name.startsWith(':') ? [] : [[name, value]],
  )
}

async function readBytes(body: BodyStream): Promise<Uint8Array> {
  const chunks = toChunks(body)
  const read: Uint8Array[] = []
  for (;;) {
    const { done, value } = await chunks.next()
    if (done) return concatBytes(read)
    read.push(value as Uint8Array)
  }
}

/** Captures a body while the client reads; `onEnd` gets all bytes if there are at most `limit`. */
function captureBody(
  body: BodyStream,
  limit: number,
  onEnd: (bytes: Uint8Array) => void,
): BodyStream {
  const chunks = toChunks(body)
  let read: Uint8Array[] = []
  let size = 0
  // No generator: its `return` would wait for the next chunk.
  const iterator = {
    async next(): Promise<IteratorResult<Uint8Array, undefined>> {
      const { done, value } = await chunks.next()
      if (done) {
        if (size <= limit) onEnd(concatBytes(read))
        return { done, value: undefined }
      }
      const chunk = value as Uint8Array
      size += chunk.length
      if (size <= limit) read.push(chunk)
      else read = []
      return { done: false, value: chunk }
    },
    async return(): Promise<IteratorResult<Uint8Array, undefined>> {
      await chunks.return?.()
      return { done: true, value: undefined }
    },
  }
  return { [Symbol.asyncIterator]: () => iterator }
}
