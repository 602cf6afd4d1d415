import { close, ftruncate, open, write } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
// The globals may be a test's, or missing, as in Jest's jsdom.
import { setImmediate } from 'node:timers'
import { promisify } from 'node:util'
import type { Json } from '../../core/json/json.ts'
import { patiently } from './retry-on-windows.ts'
import { withFolder, type StatePaths } from './state-folder.ts'

/** One write by a request, as a line of a journal. */
export interface JournalEntry {
  /** The resource. */
  name: string
  /** The id of the record; a singleton has none. */
  id?: string | undefined
  /** What it was before, where the journal does not say so already; null if it was not there. */
  from?: Json | undefined
  /** What it is from then on; null if it is gone. */
  to: Json
}

/** The writes that are not in their fixture file yet. */
export interface Journal {
  /** Takes an entry; all entries of one turn of the event loop are written at once. */
  append(entry: JournalEntry): void
  /** Resolves when every entry so far has been written or has failed to be; undefined where that is so already. */
  settled(): Promise<void> | undefined
  /** From here on the entries are those that come after what is being put into the file. */
  mark(): void
  /** Drops the entries before the mark, which are in the file now. @throws the error of the file system */
  compact(): Promise<void>
  /** Writes what waits and closes the file; the entries stay. Gives the number of those that do not. */
  close(): Promise<number>
}

/**
 * Makes the journal of a file. An entry is safe from the end of the process once write(2) has returned;
 * it is not forced onto the disk, so that a machine that loses power may lose the last moments. What cannot
 * be written waits for the next entry or `compact`; `onResult` hears of every outcome.
 */
export function createJournal(paths: StatePaths, onResult: (error: unknown) => void): Journal {
  let file: number | undefined
  let length = 0
  let waiting: string[] = []
  /** The lines since the mark; undefined while there is none. */
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

  const writeWaiting = async (): Promise<void> => {
    const lines = waiting
    if (lines.length === 0) return
    waiting = []
    try {
      file ??= await withFolder(paths.folder, () => openFile(paths.journal, 'a'))
      const bytes = Buffer.from(lines.join(''))
      await writeAll(file, bytes)
      length += bytes.length
      onResult(undefined)
    } catch (error) {
      waiting = [...lines, ...waiting]
      // Half a line must not stand in front of the next one.
      if (file !== undefined) await truncateFile(file, length).catch(() => undefined)
      onResult(error)
    }
  }

  const end = async (): Promise<void> => {
    const opened = file
    file = undefined
    if (opened !== undefined) await closeFile(opened)
  }

  const startBatch = (): Promise<void> =>
    new Promise((written) => {
      setImmediate(() => {
        batch = undefined
        written(enqueue(writeWaiting))
      })
    })

  return {
    append(entry) {
      const line = `${JSON.stringify(entry)}\n`
      waiting.push(line)
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
        const unwritten = waiting
        marked = undefined
        waiting = []
        try {
          // Windows replaces no file that is open.
          await end()
          await replaceJournal(paths, text)
          length = Buffer.byteLength(text)
        } catch (error) {
          waiting = [...unwritten, ...waiting]
          throw error
        }
      }),
    close: () =>
      enqueue(async () => {
        await writeWaiting()
        await end()
        return waiting.length
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
  await patiently(() => rename(next, journal))
}
