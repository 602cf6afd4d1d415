import { isSame } from './json.ts'
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
  subscribe(listener: (entry: LogEntry) => void): () => void
  clear(): void
}

/** Creates a log that keeps at least half that many entries, and no more than that many. */
export function createLog(limit = 1000): Log {
  let entries: LogEntry[] = []
  const listeners = new Set<(entry: LogEntry) => void>()
  return {
    add(entry) {
      if (entries.length >= limit) entries = entries.slice(-limit >> 1)
      // A client sends the same headers again and again, and one object of them is enough.
      const last = entries.at(-1)?.headers
      if (last !== undefined && isSame(last, entry.headers)) entry.headers = last
      entries.push(entry)
      if (listeners.size === 0) return
      const redacted = redact(entry)
      for (const listener of listeners) listener(redacted)
    },
    entries: () => entries,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    clear() {
      entries = []
    },
  }
}

/** Hides secrets when somebody looks, so that a request costs nothing for it. */
export function redact(entry: LogEntry): LogEntry {
  const { url, headers, body } = entry
  const redacted = { ...entry, url: redactUrl(url), headers: redactHeaders(headers) }
  return body === undefined ? redacted : { ...redacted, body: redactBody(body) }
}
