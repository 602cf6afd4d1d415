import { isSame } from '../json/json.ts'
import { createListeners } from '../structures/listeners.ts'
import { type LoggedBody, sizeOf, toExcerpt } from './logged-body.ts'
import type { Redactor } from './redact.ts'

/**
 * An entry of a mock's log: a request, and the status, duration and size of its response. In the
 * entries that leave the mock, secrets in the URL, the headers and the body are redacted.
 */
export interface LogEntry {
  /** When the request arrived, in milliseconds since 1970. */
  time: number
  method: string
  /** Path and query, of at most 2000 characters. */
  url: string
  /** The headers of the request, by lower-case name. */
  headers: Readonly<Record<string, string | undefined>>
  /** The body of the request, unless it was not read or is longer than 16 KiB. */
  body?: unknown
  /** The status of the response; 0 for a dropped connection. */
  status: number
  /** The duration, in milliseconds. */
  ms: number
  /** The size of the response body before compression, in bytes; 0 if unknown. */
  bytes: number
  /** Why the response is unusual; empty for a usual response. */
  reason: string
}

/**
 * A request and its response as they were sent, with their secrets. The log keeps references, from which an
 * archive is made when it is asked for. The URL has its full length.
 */
export interface LoggedExchange extends LogEntry {
  /** Scheme and authority: `http://localhost:3000`. */
  origin: string
  /** The version of HTTP; undefined on faces that have none. */
  httpVersion: string | undefined
  /** The body of the request; undefined where it was not read, and once later bodies need the memory. */
  received: LoggedBody | undefined
  /** The headers of the response, without those that the request and the length determine. */
  lines: [name: string, value: string][]
  /** The origins whose pages may read the response; undefined where `lines` has all headers. */
  origins: 'any' | ((origin: string) => boolean) | undefined
  /** The body of the response; undefined for a stream, and once later bodies need the memory. */
  content: string | Uint8Array | null | undefined
  /** The index in `content` at which the stream of the body ends; undefined for a body in one piece. */
  end: number | undefined
}

/** The log of a mock: the last requests, oldest first. */
export interface Log {
  add(exchange: LoggedExchange): void
  /** The exchanges with their secrets, which must not leave the mock. */
  exchanges(): readonly LoggedExchange[]
  /** Calls the listener with every new entry, redacted. Returns a function that unsubscribes. */
  subscribe(listener: (entry: LogEntry) => void): () => void
  /** Calls the listener with every new exchange, with its secrets. Returns a function that unsubscribes. */
  follow(listener: (exchange: LoggedExchange) => void): () => void
  clear(): void
}

/**
 * The options of `createLog`: the number of requests and the memory of their bodies, the redactor, the UTF-8
 * encoder, and the function that is called with the error of a listener.
 */
export interface LogOptions {
  redactor: Redactor
  /** The number of requests. @default 1000 */
  limit?: number | undefined
  /**
   * The size of all bodies, in characters or bytes. Of a body longer than a quarter, a part is kept.
   * @default 16777216
   */
  bodyLimit?: number | undefined
  /** Encodes a string as UTF-8. */
  encode(text: string): Uint8Array
  onFailure(error: unknown, doing: string): void
}

/**
 * Creates a log of the last requests. The log reuses its rows, because an object that outlives its request
 * costs the garbage collector 5 % of a server's throughput.
 */
export function createLog({
  redactor,
  limit = 1000,
  bodyLimit = 16 * 1024 * 1024,
  encode,
  onFailure,
}: LogOptions): Log {
  let rows: LoggedExchange[] = []
  /** The size of the URL and the bodies of each row. */
  let sizes: number[] = []
  let size = 0
  let count = 0
  /** The number of the oldest request whose bodies are kept. */
  let oldest = 0
  let lastHeaders: LogEntry['headers'] = {}
  let lastOrigin = ''
  const listeners = createListeners<LoggedExchange>('a request', onFailure)

  /** Measures the bodies of an exchange; replaces a body that is too long for the log by a part of it. */
  function measure(exchange: LoggedExchange): number {
    const { received, content, url } = exchange
    const receivedSize = sizeOf(received)
    const contentSize = sizeOf(content)
    const total = receivedSize + contentSize + url.length
    if (total <= bodyLimit / 4) return total
    if (received && receivedSize > bodyLimit / 4) exchange.received = toExcerpt(received, encode)
    if (content && contentSize > bodyLimit / 4) exchange.content = toExcerpt(content, encode)
    return sizeOf(exchange.received) + sizeOf(exchange.content) + url.length
  }

  /** Releases the bodies of the oldest requests until the size is within the limit. */
  function releaseBodies(): void {
    oldest = Math.max(oldest, count - limit)
    while (size > bodyLimit && oldest < count) {
      const at = oldest++ % limit
      const row = rows[at]
      if (!row) continue
      row.received = undefined
      if (row.content !== null) row.content = undefined
      row.url = row.url.slice(0, URL_LENGTH)
      size -= sizes[at] ?? 0
      sizes[at] = 0
    }
  }

  return {
    add(exchange) {
      // A client mostly sends the same headers to the same origin, of which one object is enough.
      if (isSame(lastHeaders, exchange.headers)) exchange.headers = lastHeaders
      else lastHeaders = exchange.headers
      if (lastOrigin === exchange.origin) exchange.origin = lastOrigin
      else lastOrigin = exchange.origin
      const at = count++ % limit
      const added = measure(exchange)
      size += added - (sizes[at] ?? 0)
      sizes[at] = added
      copyTo(exchange, (rows[at] ??= {} as LoggedExchange))
      if (size > bodyLimit) releaseBodies()
      listeners.emit(exchange)
    },
    exchanges() {
      const next = count % limit
      return [...rows.slice(next), ...rows.slice(0, next)].map((row) => ({ ...row }))
    },
    subscribe: (listener) =>
      listeners.subscribe((exchange) => listener(redactEntry(exchange, redactor))),
    follow: (listener) => listeners.subscribe(listener),
    clear() {
      rows = []
      sizes = []
      size = count = oldest = 0
    },
  }
}

/** The longest URL of an entry, in characters. */
const URL_LENGTH = 2000

/** Copies an exchange field by field, because `Object.assign` is several times slower. */
function copyTo(exchange: LoggedExchange, row: LoggedExchange): void {
  ;({
    time: row.time,
    method: row.method,
    url: row.url,
    headers: row.headers,
    body: row.body,
    status: row.status,
    ms: row.ms,
    bytes: row.bytes,
    reason: row.reason,
    origin: row.origin,
    httpVersion: row.httpVersion,
    received: row.received,
    lines: row.lines,
    origins: row.origins,
    content: row.content,
    end: row.end,
  } = exchange)
}

/** The redacted entry of an exchange. The log redacts when it is read, so that requests do not pay for it. */
export function redactEntry(exchange: LogEntry, redactor: Redactor): LogEntry {
  const { time, method, url, headers, body, status, ms, bytes, reason } = exchange
  return {
    time,
    method,
    url: redactor.redactUrl(url.slice(0, URL_LENGTH)),
    headers: redactor.redactHeaders(headers),
    status,
    ms,
    bytes,
    reason,
    ...(body !== undefined && { body: redactor.redactBody(body) }),
  }
}
