import { isSame } from '../json/json.ts'
import { createListeners } from '../structures/listeners.ts'
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

/** A request and its response with their secrets and the full URL, from which HTTP archives (HAR) are made. */
export interface LoggedExchange extends LogEntry {
  body: unknown
  /** Scheme and authority: `http://localhost:3000`. */
  origin: string
  /** The version of HTTP; undefined on faces that have none. */
  httpVersion: string | undefined
  /** The body of the request; undefined if it was not read, and once later bodies need the memory. */
  received: LoggedBody | undefined
  /** The headers of the response, without those that the request and the length determine. */
  lines: [name: string, value: string][]
  /** The origins whose pages may read the response; undefined if `lines` has all headers. */
  origins: 'any' | ((origin: string) => boolean) | undefined
  /** The body of the response; undefined for a stream, and once later bodies need the memory. */
  content: string | Uint8Array | null | undefined
  /** The index in `content` at which the stream of the body ends; undefined for a body in one piece. */
  end: number | undefined
}

/** The log of a mock: the last requests, oldest first. */
export interface Log {
  /** The row of the next exchange, with old values: the caller sets every field, and then calls `add`. */
  nextRow(): LoggedExchange
  /** Adds the exchange in the row that `nextRow` has returned. */
  add(row: LoggedExchange): void
  /** Adds a copy of an exchange that the pipeline of this mock has not answered; fields that it lacks are empty. */
  insert(exchange: Partial<LoggedExchange>): void
  /** The exchanges with their secrets, which must not leave the mock. */
  exchanges(): readonly LoggedExchange[]
  /** Calls the listener with every new entry, redacted. Returns a function that unsubscribes. */
  subscribe(listener: (entry: LogEntry) => void): () => void
  /** Calls the listener with each new row, which it must not keep. Returns a function that unsubscribes. */
  follow(listener: (exchange: LoggedExchange) => void): () => void
  clear(): void
}

/** The limits of the log, the redactor, the UTF-8 encoder, and a callback for errors of listeners. */
export interface LogOptions {
  redactor: Redactor
  /** The number of requests. @default 1000 */
  limit?: number | undefined
  /** The most characters or bytes of all bodies; a quarter of it limits each. @default 16777216 */
  bodyLimit?: number | undefined
  encode(text: string): Uint8Array
  onFailure(error: unknown, doing: string): void
}

/**
 * Creates a log of the last requests. The log reuses its rows, because an object that outlives its request
 * costs the garbage collector 5 % of a server's throughput, and copying one 100 ns.
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

  /** Replaces the bodies of an exchange that are too long for the log, and measures them. */
  function measure(exchange: LoggedExchange): number {
    const { received, content, url } = exchange
    if (sizeOf(received) > bodyLimit / 4) exchange.received = toExcerpt(received, encode)
    if (sizeOf(content) > bodyLimit / 4) exchange.content = toExcerpt(content, encode)
    return sizeOf(exchange.received) + sizeOf(exchange.content) + url.length
  }

  function releaseBodies(): void {
    for (oldest = Math.max(oldest, count - limit); size > bodyLimit && oldest < count; oldest++) {
      const at = oldest % limit
      const row = rows[at]
      if (row) {
        row.received = undefined
        row.content &&= undefined
        row.url = row.url.slice(0, URL_LENGTH)
      }
      size -= sizes[at] ?? 0
      sizes[at] = 0
    }
  }

  const nextRow = (): LoggedExchange => (rows[count % limit] ??= createRow())

  function add(row: LoggedExchange): void {
    // A client mostly sends the same headers to the same origin, so that requests share one object.
    if (isSame(lastHeaders, row.headers)) row.headers = lastHeaders
    else lastHeaders = row.headers
    if (lastOrigin === row.origin) row.origin = lastOrigin
    else lastOrigin = row.origin
    const at = count++ % limit
    const added = measure(row)
    size += added - (sizes[at] ?? 0)
    sizes[at] = added
    if (size > bodyLimit) releaseBodies()
    listeners.emit(row)
  }

  return {
    nextRow,
    add,
    insert: (exchange) => add(Object.assign(nextRow(), createRow(), exchange)),
    exchanges() {
      const next = count % limit
      return [...rows.slice(next), ...rows.slice(0, next)].map((row) => ({ ...row }))
    },
    subscribe: (listener) =>
      listeners.subscribe((exchange) => listener(redactEntry(exchange, redactor))),
    follow: listeners.subscribe,
    clear() {
      rows = []
      sizes = []
      size = count = oldest = 0
    },
  }
}

/** The longest URL of an entry, in characters. */
const URL_LENGTH = 2000

/** Creates a row whose fields all exist, so that writing them is fast. */
function createRow(): LoggedExchange {
  return {
    time: 0,
    method: '',
    url: '',
    headers: {},
    body: undefined,
    status: 0,
    ms: 0,
    bytes: 0,
    reason: '',
    origin: '',
    httpVersion: undefined,
    received: undefined,
    lines: [],
    origins: undefined,
    content: undefined,
    end: undefined,
  }
}

/** Redacts an entry when the log is read, so that requests take no time for it. */
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

/** The body of a request as it is logged, without a copy; a multipart form by its fields in order. */
type LoggedBody = string | Uint8Array | LoggedForm

/** The fields of a multipart form. */
export type LoggedForm = readonly (readonly [name: string, value: string | LoggedFile])[]

interface LoggedFile {
  name: string
  type: string
  /** In bytes. */
  size: number
  /** The content as a data URL. */
  url: string
}

/** The length of the excerpt of a body beyond the limit of the log, in characters or bytes. */
const EXCERPT = 64 * 1024

/** Whether a body is a multipart form. */
export function isForm(body: LoggedBody): body is LoggedForm {
  return Array.isArray(body)
}

/** Returns the approximate memory of a body, in characters or bytes. */
function sizeOf(body: LoggedBody | null | undefined): number {
  if (body === null || body === undefined) return 0
  if (!isForm(body)) return body.length
  return body.reduce((size, [name, value]) => {
    return size + name.length + (typeof value === 'string' ? value : value.url).length
  }, 0)
}

/** A copy of the first 65536 characters or bytes, so that the whole body is freed; undefined for a form. */
function toExcerpt(
  body: LoggedBody | null | undefined,
  encode: (text: string) => Uint8Array,
): Uint8Array | undefined {
  if (typeof body === 'string') return encode(body.slice(0, EXCERPT))
  return body && !isForm(body) ? body.slice(0, EXCERPT) : undefined
}
