import { isSame } from '../json/json.ts'
import { createListeners } from '../structures/listeners.ts'
import type { Redactor } from './redact.ts'

/** What happened to one request. Secrets in its URL, headers and body are left out. */
export interface LogEntry {
  /** When it came, in milliseconds since 1970. */
  time: number
  method: string
  /** Path and query. */
  url: string
  /** The headers of the request, by lower-case name. */
  headers: Readonly<Record<string, string | undefined>>
  /** What the request sent, where it was read, and is not long. */
  body?: unknown
  /** 0 for a connection that was dropped. */
  status: number
  /** How long it took, in milliseconds. */
  ms: number
  /** The size of the answer's body before compression, where it is known; else 0. */
  bytes: number
  /** Why something unusual was answered, or nothing. */
  reason: string
}

/** The last requests, oldest first. */
export interface Log {
  add(entry: LogEntry): void
  /** As they came, with their secrets: not to be handed out. */
  entries(): readonly LogEntry[]
  /** Hears of every request, without its secrets. Returns the end of it. */
  subscribe(listener: (entry: LogEntry) => void): () => void
  clear(): void
}

/**
 * Creates a log that keeps that many entries, in rows that are written again and again: objects that
 * outlive their request cost the collector a twentieth of what a server can answer. `onFailure` hears of
 * listeners that fail.
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
      // A client sends the same headers again and again, and one object of them is enough.
      if (isSame(last, entry.headers)) entry.headers = last
      else last = entry.headers
      write(entry, (rows[count++ % limit] ??= {} as LogEntry))
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

/** One by one, as `Object.assign` takes several times as long. */
function write(entry: LogEntry, row: LogEntry): void {
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

/** Hides secrets when somebody looks, so that a request costs nothing for it. */
export function redactEntry({ body, ...entry }: LogEntry, redactor: Redactor): LogEntry {
  const redacted = {
    ...entry,
    url: redactor.redactUrl(entry.url),
    headers: redactor.redactHeaders(entry.headers),
  }
  return body === undefined ? redacted : { ...redacted, body: redactor.redactBody(body) }
}
