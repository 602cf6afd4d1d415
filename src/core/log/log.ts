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
  /** Path and query. */
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

/** The log of a mock: the last requests, oldest first. */
export interface Log {
  add(entry: LogEntry): void
  /** The entries with their secrets, which must not leave the mock. */
  entries(): readonly LogEntry[]
  /** Calls the listener with every new entry, redacted. Returns a function that unsubscribes. */
  subscribe(listener: (entry: LogEntry) => void): () => void
  clear(): void
}

/**
 * Creates a log of the last `limit` requests. The log reuses its rows, because an object that outlives its
 * request costs the garbage collector 5 % of a server's throughput. `onFailure` is called with the error of
 * a listener.
 */
export function createLog(
  redactor: Redactor,
  onFailure: (error: unknown, doing: string) => void,
  limit = 1000,
): Log {
  let rows: LogEntry[] = []
  let count = 0
  let last: LogEntry['headers'] = {}
  const listeners = createListeners<LogEntry>('a request', onFailure)
  return {
    add(entry) {
      // A client mostly sends the same headers, of which one object is enough.
      if (isSame(last, entry.headers)) entry.headers = last
      else last = entry.headers
      copyTo(entry, (rows[count++ % limit] ??= {} as LogEntry))
      listeners.emit(entry)
    },
    entries() {
      const next = count % limit
      return [...rows.slice(next), ...rows.slice(0, next)].map((row) => ({ ...row }))
    },
    subscribe: (listener) => listeners.subscribe((entry) => listener(redactEntry(entry, redactor))),
    clear() {
      rows = []
      count = 0
    },
  }
}

/** Copies an entry field by field, because `Object.assign` is several times slower. */
function copyTo(entry: LogEntry, row: LogEntry): void {
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
  } = entry)
}

/** Redacts an entry. The log redacts when it is read, so that requests do not pay for it. */
export function redactEntry({ body, ...entry }: LogEntry, redactor: Redactor): LogEntry {
  const redacted = {
    ...entry,
    url: redactor.redactUrl(entry.url),
    headers: redactor.redactHeaders(entry.headers),
  }
  return body === undefined ? redacted : { ...redacted, body: redactor.redactBody(body) }
}
