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
 * Creates a log that keeps that many entries, in rows that are written again and again: objects that
 * outlive their request cost the collector a twentieth of what a server can answer. `onFailure` hears of
 * listeners that fail.
 */
export function createLog(onFailure: (error: unknown, doing: string) => void, limit = 1000): Log {
  let rows: LogEntry[] = []
  let count = 0
  let last: LogEntry['headers'] | undefined
  const listeners = createListeners<LogEntry>('a request', onFailure)
  return {
    add(entry) {
      // A client sends the same headers again and again, and one object of them is enough.
      if (last && isSame(last, entry.headers)) entry.headers = last
      else last = entry.headers
      Object.assign((rows[count++ % limit] ??= {} as LogEntry), nothing, entry)
      listeners.emit(entry)
    },
    entries() {
      const length = Math.min(count, limit)
      return Array.from({ length }, (_, at) => {
        return { ...rows[(count - length + at) % limit] } as LogEntry
      })
    },
    subscribe: (listener) => listeners.subscribe((entry) => listener(redact(entry))),
    clear() {
      rows = []
      count = 0
      last = undefined
    },
  }
}

/** What an entry leaves out is not to stay from the one before. */
const nothing = { body: undefined }

/** Hides secrets when somebody looks, so that a request costs nothing for it. */
export function redact({ body, ...entry }: LogEntry): LogEntry {
  const redacted = { ...entry, url: redactUrl(entry.url), headers: redactHeaders(entry.headers) }
  return body === undefined ? redacted : { ...redacted, body: redactBody(body) }
}
