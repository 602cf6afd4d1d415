import type { FixtureWriter } from './fixture-writer.ts'

/** Schedules the writes of one fixture file, so that the file is written once for many changes. */
export interface WriteQueue {
  /** Schedules a write of the file, whose data have changed. */
  schedule(): void
  /** Writes the file now if it has changes. */
  flush(): Promise<void>
  /** Writes the file a last time. A later change is scheduled again. */
  close(): Promise<void>
  /** Stops writing a file that was removed. */
  discard(): void
}

/** Options of a write queue. */
export interface WriteQueueOptions {
  writer: Pick<FixtureWriter, 'write'>
  /** Scans the files, so that edits by other programs are loaded before the write. */
  scan(): Promise<unknown>
  /** Is called after each write with the error, or with undefined if the write succeeded. */
  onResult(error: unknown): void
  /** Is called when the file has been removed. */
  onRemoved(): Promise<void>
  /** How long requests have to pause before the file is written, in milliseconds. @default 100 */
  pause?: number | undefined
}

/**
 * Creates a write queue. It writes when requests pause, or after a second without a pause. Between two
 * writes it waits for twenty times the duration of the last write, so that writing a large file takes at
 * most a twentieth of the time. A failed write is retried with exponential backoff.
 */
export function createWriteQueue(options: WriteQueueOptions): WriteQueue {
  const { writer, scan, onResult, onRemoved, pause = 100 } = options
  let isDirty = false
  /** Whether no timer is started until the next change. */
  let isClosed = false
  let isDiscarded = false
  /** The times of the first and last change since the last write, and of that write, which took `duration`. */
  let firstAt = 0
  let lastAt = 0
  let writtenAt = 0
  let duration = 0
  let failures = 0
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined

  const start = (delay: number): void => {
    if (isClosed || isDiscarded || timer) return
    timer = setTimeout(() => {
      timer = undefined
      const now = performance.now()
      const rest = duration * 20
      const wanted = Math.min(lastAt + pause, firstAt + Math.max(MAX_DELAY, pause, rest))
      const due = Math.max(wanted, writtenAt + rest)
      if (now < due && failures === 0) start(due - now)
      else void flush()
    }, delay)
  }

  const stop = (): void => {
    clearTimeout(timer)
    timer = undefined
  }

  /** Writes the file. Returns the delay of the next attempt, or undefined if no retry is needed. */
  const write = async (): Promise<number | undefined> => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      await scan()
      if (isDiscarded) return undefined
      const startedAt = performance.now()
      const outcome = await writer.write(() => (isDirty = false))
      if (outcome === 'stale') continue
      if (outcome === 'invalid') return RETRY_DELAY
      if (outcome === 'removed') await onRemoved()
      writtenAt = performance.now()
      duration = writtenAt - startedAt
      return undefined
    }
    return RETRY_DELAY / 5
  }

  const run = async (): Promise<void> => {
    let retryDelay: number | undefined
    try {
      retryDelay = await write()
      if (retryDelay === undefined) onResult(undefined)
    } catch (error) {
      retryDelay = Math.min(RETRY_DELAY * 2 ** (failures + 1), MAX_RETRY_DELAY)
      onResult(error)
    }
    failures = retryDelay === undefined ? 0 : failures + 1
    if (retryDelay !== undefined) {
      isDirty = true
      // Changes that arrived during the attempt do not bring the retry forward.
      stop()
    }
    if (isDirty) start(retryDelay ?? pause)
  }

  const flush = async (): Promise<void> => {
    await writing
    if (!isDirty) return
    writing ??= run().finally(() => {
      writing = undefined
    })
    await writing
  }

  return {
    schedule() {
      isClosed = false
      lastAt = performance.now()
      if (!isDirty) firstAt = lastAt
      isDirty = true
      start(pause)
    },
    flush,
    async close() {
      isClosed = true
      stop()
      await flush()
    },
    discard() {
      isDiscarded = true
      isDirty = false
      stop()
    },
  }
}

/** How many times a file that other programs keep changing is written anew, before a pause. */
const ATTEMPTS = 5
/** In milliseconds. */
const MAX_DELAY = 1000
const RETRY_DELAY = 500
const MAX_RETRY_DELAY = 10_000
