import type { Source } from '../../core/fixtures/source.ts'
import type { FixtureWriter, Unsaved } from './fixture-writer.ts'
import type { UnsavedWrite } from './journal-entry.ts'

/**
 * Adds the changes of one fixture file to its journal at once, and schedules the write of the file, so that
 * the file is written once for many changes.
 */
export interface WriteQueue {
  /** Adds writes to the journal, and schedules a write of the file. */
  append(writes: readonly UnsavedWrite[]): void
  /** Resolves once all writes are in the journal; undefined if they are already. */
  settled(): Promise<void> | undefined
  /** Writes the file now if it has changes. */
  flush(): Promise<void>
  /** Writes the file a last time. Returns the records whose last state is not in the file. */
  close(): Promise<Unsaved>
  /** Stops writing a file that was removed, and deletes its journal. */
  discard(): Promise<void>
}

/** Options of a write queue. */
export interface WriteQueueOptions {
  writer: FixtureWriter
  /**
   * Scans the file, so that edits by other programs are loaded before the write; or all files, which also finds
   * and reports that the file is broken or gone.
   */
  scan(isFull: boolean): Promise<unknown>
  /** Is called with each source that is about to be written. */
  onCapture(source: Source): void
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
  const { writer, scan, onCapture, onResult, onRemoved, pause = 100 } = options
  let isDirty = false
  let isClosed = false
  let isDiscarded = false
  /** The times of the first and last change since the last write, and of that write. */
  let firstAt = 0
  let lastAt = 0
  let writtenAt = 0
  let failures = 0
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined

  const schedule = (after: number): void => {
    if (isClosed || timer) return
    timer = setTimeout(() => {
      timer = undefined
      const now = performance.now()
      const rest = writer.duration * 20
      const wanted = Math.min(lastAt + pause, firstAt + Math.max(MAX_DELAY, pause, rest))
      const due = Math.max(wanted, writtenAt + rest)
      if (now < due && failures === 0) schedule(due - now)
      else void flush()
    }, after)
  }

  /** Writes the file. Returns the delay of the next attempt, or undefined if no retry is needed. */
  const write = async (): Promise<number | undefined> => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      await scan(attempt > 0 || failures > 0)
      if (isDiscarded) return undefined
      const outcome = await writer.write((source) => {
        isDirty = false
        onCapture(source)
      })
      if (outcome === 'stale') continue
      if (outcome === 'invalid') return RETRY_DELAY
      if (outcome === 'removed') await onRemoved()
      writtenAt = performance.now()
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
      clearTimeout(timer)
      timer = undefined
    }
    if (isDirty) schedule(retryDelay ?? pause)
  }

  const flush = async (): Promise<void> => {
    await writing
    if (!isDirty) return
    writing ??= run().finally(() => {
      writing = undefined
    })
    await writing
  }

  const stop = (): void => {
    isClosed = true
    clearTimeout(timer)
  }

  return {
    append(writes) {
      lastAt = performance.now()
      if (!isDirty) firstAt = lastAt
      isDirty = true
      for (const write of writes) writer.journal.append(write)
      schedule(pause)
    },
    settled: () => writer.journal.settled(),
    flush,
    async close() {
      stop()
      await flush()
      return writer.close()
    },
    discard() {
      stop()
      isDiscarded = true
      isDirty = false
      return writer.discard()
    },
  }
}

/** How many times a file that other programs keep changing is written anew, before a pause. */
const ATTEMPTS = 5
/** In milliseconds. */
const MAX_DELAY = 1000
const RETRY_DELAY = 500
const MAX_RETRY_DELAY = 10_000
