/** What happened to one request. */
export interface LogEntry {
  /** When it came, in milliseconds since 1970. */
  time: number
  method: string
  /** Path and query. */
  url: string
  status: number
  /** How long it took, in milliseconds. */
  ms: number
  /** The size of the body before compression, where it is known; else 0. */
  bytes: number
  /** Why something unusual was answered, or nothing. */
  reason: string
}

/** The last requests, oldest first. */
export interface Log {
  add(entry: LogEntry): void
  entries(): readonly LogEntry[]
  subscribe(listener: (entry: LogEntry) => void): () => void
  clear(): void
}

/** Creates a log that keeps that many entries. */
export function createLog(limit = 1000): Log {
  let entries: LogEntry[] = []
  const listeners = new Set<(entry: LogEntry) => void>()
  return {
    add(entry) {
      if (entries.length >= limit) entries = entries.slice(-limit >> 1)
      entries.push(entry)
      for (const listener of listeners) listener(entry)
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
