import { isSame } from './json.ts'
import { createListeners } from './listeners.ts'
import { redactBody, redactHeaders, redactUrl } from './redact.ts'

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
 * Creates a log that keeps that many entries, in a column for each of their members: objects that
 * outlive their request cost the collector a twentieth of what a server can answer. `onFailure` hears of
 * listeners that fail.
 */
export function createLog(onFailure: (error: unknown, doing: string) => void, limit = 1000): Log {
  let columns = createColumns()
  let count = 0
  let last: LogEntry['headers'] | undefined
  const listeners = createListeners<LogEntry>('a request', onFailure)
  return {
    add(entry) {
      // A client sends the same headers again and again, and one object of them is enough.
      if (last && isSame(last, entry.headers)) entry.headers = last
      else last = entry.headers
      write(entry, columns, count++ % limit)
      listeners.emit(entry)
    },
    entries() {
      const length = Math.min(count, limit)
      return Array.from({ length }, (_, at) => read(columns, (count - length + at) % limit))
    },
    subscribe: (listener) => listeners.subscribe((entry) => listener(redact(entry))),
    clear() {
      columns = createColumns()
      count = 0
      last = undefined
    },
  }
}

type Columns = { [Key in keyof LogEntry]-?: LogEntry[Key][] }

function createColumns(): Columns {
  return {
    time: [],
    method: [],
    url: [],
    headers: [],
    body: [],
    status: [],
    ms: [],
    bytes: [],
    reason: [],
  }
}

function write(entry: LogEntry, columns: Columns, at: number): void {
  columns.time[at] = entry.time
  columns.method[at] = entry.method
  columns.url[at] = entry.url
  columns.headers[at] = entry.headers
  columns.body[at] = entry.body
  columns.status[at] = entry.status
  columns.ms[at] = entry.ms
  columns.bytes[at] = entry.bytes
  columns.reason[at] = entry.reason
}

function read(columns: Columns, at: number): LogEntry {
  const entry: Record<string, unknown> = {}
  for (const [name, column] of Object.entries(columns)) {
    if (column[at] !== undefined) entry[name] = column[at]
  }
  return entry as unknown as LogEntry
}

/** Hides secrets when somebody looks, so that a request costs nothing for it. */
export function redact(entry: LogEntry): LogEntry {
  const { url, headers, body } = entry
  const redacted = { ...entry, url: redactUrl(url), headers: redactHeaders(headers) }
  return body === undefined ? redacted : { ...redacted, body: redactBody(body) }
}
