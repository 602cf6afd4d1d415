// Imports `setImmediate`, because the global may be replaced by fake timers, or missing, as in Jest's jsdom.
import { setImmediate } from 'node:timers'
import { MockError } from '../../core/errors/mock-error.ts'
import { createExclusive } from '../watch/exclusive.ts'
import type { Handles } from './handles.ts'
import { toLine, type UnsavedWrite, type WrittenRecord } from './journal-entry.ts'
import { createJournalFile } from './journal-file.ts'
import { createLedger, keyOf, type Ledger } from './ledger.ts'
import type { WriteLock } from './lock.ts'
import type { StatePaths } from './state-folder.ts'

/**
 * The journal of a fixture file: keeps the writes of requests on the disk until the fixture file is written,
 * which happens later and once for many writes. The next start recovers the writes of a killed process from
 * the journal.
 */
export interface Journal {
  /** Adds a write. All writes of one turn of the event loop are added to the file together. */
  append(write: UnsavedWrite): void
  /**
   * Resolves when each write so far is in the journal or could not be added; undefined if no write is on its way.
   * Rejects if another process has taken over the lock, and perhaps the journal without these writes.
   */
  settled(): Promise<void> | undefined
  /** Writes the journal again if its file was removed. */
  repair(): Promise<void>
  /** Marks the end of the writes that are being put into the fixture file. */
  mark(): void
  /** Deletes the writes before the mark, which are in the fixture file now. @throws the error of the file system */
  compact(): Promise<void>
  /** Continues the journal at other paths. @throws the error of the file system */
  move(paths: StatePaths): Promise<void>
  /** Drops all writes and deletes the journal. @throws the error of the file system */
  discard(): Promise<void>
  /** Adds pending writes and closes the journal. */
  close(): Promise<void>
  /** The records whose last state is not in the fixture file; none if the lock is lost. */
  unsaved(): UnsavedRecords
  /** The lines of a journal for all of these records. */
  lines(): Iterable<string>
}

/** Records whose last state is not in the fixture file. */
export interface UnsavedRecords {
  /** The records whose last state is in the journal. */
  kept: WrittenRecord[]
  /** The records whose last state is not in the journal either. */
  lost: WrittenRecord[]
}

/** Options of a journal. The journals of many files share the lock and the handles. */
export interface JournalOptions {
  /** Is checked before each change on the disk. */
  lock: WriteLock
  handles: Handles
  /** Is called with the error or undefined each time writes are added. */
  onResult(error: unknown): void
}

/**
 * Creates the journal of a fixture file. A write survives the end of the process once write(2) has returned.
 * There is no fsync(2), so a power failure may lose the last writes. Writes that could not be added are
 * retried with the next write, by `compact` and by `close`. A journal of more than 32 MiB is written anew with
 * only the first and the last state of each record.
 */
export function createJournal(
  paths: StatePaths,
  { lock, handles, onResult }: JournalOptions,
): Journal {
  let file = createJournalFile(paths, lock, handles)
  let ledger = createLedger()
  /** The writes after the mark; undefined if there is no mark. */
  let marked: Ledger | undefined
  /** The writes that are not in the journal yet. */
  let pending: UnsavedWrite[] = []
  let maxLength = MAX_LENGTH
  /** The error that another process has taken over the lock. */
  let lockLoss: MockError | undefined
  /** The last batch of writes, until it has been added to the file. */
  let batch: Promise<void> | undefined
  /** Whether a write joins the last batch. */
  let isBatchOpen = false
  const exclusive = createExclusive()

  /** Runs a function that adds the pending writes to the file. The writes stay pending if the function fails. */
  const takePending = async (add: (writes: UnsavedWrite[]) => Promise<void>): Promise<void> => {
    const taken = pending
    pending = []
    try {
      await add(taken)
    } catch (error) {
      pending = [...taken, ...pending]
      throw error
    }
  }
  const appendPending = (): Promise<void> => takePending((writes) => file.append(toLines(writes)))
  /** Replaces the lines of the file by those of a ledger, which has the pending writes. */
  const rewrite = (writes: Ledger): Promise<void> =>
    takePending(async () => {
      await (writes.isEmpty() ? file.remove() : file.replace(writes.lines()))
      maxLength = Math.max(MAX_LENGTH, 2 * file.length)
    })

  const writePending = async (): Promise<void> => {
    let isNew = file.length > maxLength || file.isDamaged()
    if (pending.length === 0 && !isNew) return
    // While the file is open, new lines change no file of another process.
    let isSafe = file.isOpen() && !isNew
    try {
      for (let attempt = 0; attempt === 0 || !isSafe; attempt++) {
        if (attempt === ATTEMPTS) throw new Error('another program changes its journal')
        if (!isSafe) await lock.ensure()
        await (isNew ? rewrite(ledger) : appendPending())
        // Lines do not count if another process took over the lock before, or the folder was removed.
        isNew = file.isDamaged()
        isSafe = lock.isHeld() && !isNew
      }
      onResult(undefined)
    } catch (error) {
      // The loss of the lock is the cause of any other error.
      const cause = await lock.ensure()?.then(
        () => error,
        (lost: unknown) => lost,
      )
      if (cause instanceof MockError) lockLoss = cause
      onResult(cause ?? error)
    }
  }

  const checkLockLoss = (): void => {
    if (lockLoss) throw lockLoss
  }

  const startBatch = (): void => {
    isBatchOpen = true
    const started = new Promise<void>((written) => {
      setImmediate(() => {
        isBatchOpen = false
        written(exclusive(writePending))
      })
    }).finally(() => {
      if (batch === started) batch = undefined
    })
    batch = started
  }

  return {
    append(write) {
      pending.push(write)
      ledger.add(write)
      marked?.add(write)
      if (!isBatchOpen) startBatch()
    },
    settled: () => batch?.then(checkLockLoss),
    repair: () => exclusive(writePending),
    mark() {
      marked = createLedger()
    },
    compact: () =>
      exclusive(async () => {
        await lock.ensure()
        const rest = marked ?? createLedger()
        await rewrite(rest)
        ledger = rest
        marked = undefined
      }),
    move: (to) =>
      exclusive(async () => {
        const before = file
        file = createJournalFile(to, lock, handles)
        try {
          await rewrite(ledger)
        } catch (error) {
          file = before
          throw error
        }
        await before.remove()
      }),
    discard: () =>
      exclusive(async () => {
        await lock.ensure()
        pending = []
        ledger = createLedger()
        await file.remove()
      }),
    close: () =>
      exclusive(async () => {
        await writePending()
        await file.close()
      }),
    unsaved() {
      const all = lock.isLost() ? [] : ledger.records()
      const keys = new Set(pending.map(keyOf))
      const isLost = (record: WrittenRecord): boolean => keys.has(keyOf(record))
      return { kept: all.filter((record) => !isLost(record)), lost: all.filter(isLost) }
    },
    lines: () => ledger.lines(),
  }
}

/** How many times the journal is written before the attempt counts as failed. */
const ATTEMPTS = 5

/** In bytes. */
const MAX_LENGTH = 32 * 1024 * 1024

function* toLines(writes: readonly UnsavedWrite[]): Generator<string, void, undefined> {
  for (const write of writes) yield toLine(write)
}
