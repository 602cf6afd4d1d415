import { close, ftruncate, open, write } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
// Imports `setImmediate`, because the global may be replaced by fake timers, or missing, as in Jest's jsdom.
import { setImmediate } from 'node:timers'
import { promisify } from 'node:util'
import type { Json } from '../../core/json/json.ts'
import { retryOnWindows } from './retry-on-windows.ts'
import { withFolder, type StatePaths } from './state-folder.ts'

/**
 * A write by a request to one record or singleton, as one line of JSON in a journal: the file that keeps
 * writes until they are in the fixture file, and from which the next start recovers the writes of a killed
 * process.
 */
export interface JournalEntry {
  /** The name of the resource. */
  name: string
  /** The id of the record; undefined for a singleton. */
  id?: string | undefined
  /** The previous value, unless an earlier entry has it; null if the record did not exist. */
  from?: Json | undefined
  /** The new value; null if the record was deleted. */
  to: Json
}

/** The journal file of a fixture file, which contains the writes that are not in the fixture file yet. */
export interface Journal {
  /** Adds an entry. All entries of one turn of the event loop are written together. */
  append(entry: JournalEntry): void
  /** Resolves when each entry so far was written or has failed to be written; undefined if it is so already. */
  settled(): Promise<void> | undefined
  /** Marks the end of the entries whose writes are being put into the fixture file. */
  mark(): void
  /** Deletes the entries before the mark, which are in the fixture file now. @throws the error of the file system */
  compact(): Promise<void>
  /** Writes pending entries and closes the journal. Returns the number of entries that could not be written. */
  close(): Promise<number>
}

/**
 * Creates the journal of a fixture file. An entry survives the end of the process once write(2) has
 * returned. There is no fsync(2), so a power failure may lose the last entries. Entries that could not be
 * written are retried with the next entry, by `compact` and by `close`. `onResult` is called after each
 * write of entries with the error or undefined.
 */
export function createJournal(paths: StatePaths, onResult: (error: unknown) => void): Journal {
  let file: number | undefined
  let length = 0
  let pending: string[] = []
  /** The lines after the mark; undefined if there is no mark. */
  let marked: string[] | undefined
  let batch: Promise<void> | undefined
  let queue: Promise<void> = Promise.resolve()
  let queued = 0

  const enqueue = <T>(run: () => Promise<T>): Promise<T> => {
    queued++
    const result = queue.then(run).finally(() => queued--)
    queue = result.then(
      () => undefined,
      () => undefined,
    )
    return result
  }

  const writePending = async (): Promise<void> => {
    const lines = pending
    if (lines.length === 0) return
    pending = []
    try {
      file ??= await withFolder(paths.folder, () => openFile(paths.journal, 'a'))
      const bytes = Buffer.from(lines.join(''))
      await writeAll(file, bytes)
      length += bytes.length
      onResult(undefined)
    } catch (error) {
      pending = [...lines, ...pending]
      // Removes an incomplete line, which would make the next line invalid.
      if (file !== undefined) await truncateFile(file, length).catch(() => undefined)
      onResult(error)
    }
  }

  const closeIfOpen = async (): Promise<void> => {
    const opened = file
    file = undefined
    if (opened !== undefined) await closeFile(opened)
  }

  const startBatch = (): Promise<void> =>
    new Promise((written) => {
      setImmediate(() => {
        batch = undefined
        written(enqueue(writePending))
      })
    })

  return {
    append(entry) {
      const line = `${JSON.stringify(entry)}\n`
      pending.push(line)
      marked?.push(line)
      batch ??= startBatch()
    },
    settled: () => batch ?? (queued > 0 ? queue : undefined),
    mark() {
      marked = []
    },
    compact: () =>
      enqueue(async () => {
        const text = marked?.join('') ?? ''
        const unwritten = pending
        marked = undefined
        pending = []
        try {
          // Windows cannot replace an open file.
          await closeIfOpen()
          await replaceJournal(paths, text)
          length = Buffer.byteLength(text)
        } catch (error) {
          pending = [...unwritten, ...pending]
          throw error
        }
      }),
    close: () =>
      enqueue(async () => {
        await writePending()
        await closeIfOpen()
        return pending.length
      }),
  }
}

const openFile = promisify(open)
const closeFile = promisify(close)
const truncateFile = promisify(ftruncate)
const writeFileAt = promisify(write)

async function writeAll(file: number, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length;) at += (await writeFileAt(file, bytes, at)).bytesWritten
}

async function replaceJournal({ folder, journal }: StatePaths, text: string): Promise<void> {
  if (text === '') return rm(journal, { force: true })
  const next = `${journal}.next`
  await withFolder(folder, () => writeFile(next, text))
  await retryOnWindows(() => rename(next, journal))
}
