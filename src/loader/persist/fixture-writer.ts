import { realpathSync, renameSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { FixtureData, IdsOf } from '../../core/fixtures/fixture-data.ts'
import { isError, type Source } from '../../core/fixtures/source.ts'
import type { FixtureFile } from '../discover/discover.ts'
import { type FileContent, fromDigest } from '../read/file-content.ts'
import type { LoadedFile } from '../read/read-file.ts'
import type { Scanner } from '../watch/scanner.ts'
import { statUnchanged, toStamp } from '../read/stable-read.ts'
import { writeTempFile } from './temp-file.ts'
import { readFixtureText, toFileValue } from './file-value.ts'
import type { Handles } from './handles.ts'
import { createJournal, type Journal, type UnsavedRecords } from './journal.ts'
import { retryOnWindows } from './retry-on-windows.ts'
import type { WriteLock } from './lock.ts'
import type { FixtureText } from './patch-text.ts'
import { writeRescueCopy } from './rescue-copy.ts'
import { removeIfEmpty, statePathsOf } from './state-folder.ts'

/**
 * Writes the current data of the mock to one fixture file, and owns the journal of the file (writes that are
 * not in the file yet). `--persist` has a writer for each file that requests change.
 */
export interface FixtureWriter {
  readonly journal: Journal
  /** The path of the journal. It changes when the path becomes a link to another file. */
  readonly journalPath: string
  /**
   * Writes the current data to the file, unless the file has changed since the last scan. Calls
   * `onCapture` with each source at the moment of its capture; later changes are not in the file.
   * @throws the error of the file system
   */
  write(onCapture: (source: Source) => void): Promise<WriteOutcome>
  /** How long the last write took without the time that it waited for the writes of other files, in milliseconds. */
  readonly duration: number
  /** Deletes the journal of a file that was removed. */
  discard(): Promise<void>
  /**
   * Closes the journal, which stays if it has writes that are not in the file. Writes that could not be added to
   * the journal are put into a copy of the journal elsewhere.
   */
  close(): Promise<Unsaved>
}

/** Creates the writer of a fixture file. */
export function createFixtureWriter(options: FixtureWriterOptions): FixtureWriter {
  const { path, scanner, data, lock, handles, recover, onJournalResult } = options
  let real = toRealPath(path)
  let paths = statePathsOf(real)
  const journal = createJournal(paths, { lock, handles, onResult: onJournalResult })
  let duration = 0
  /** The text on the disk and its digest, after a write. */
  let written: { text: FixtureText; hash: string } | undefined

  /** Captures the data and writes it to a temporary file; undefined if the file has changed since the last scan. */
  const prepare = async (
    file: LoadedFile,
    onCapture: (source: Source) => void,
  ): Promise<NextContent | undefined> => {
    const startedAt = performance.now()
    const stats = statUnchanged(file)
    const isWritten = written?.hash === file.content.hash()
    const text = stats && (isWritten ? written?.text : await readFixtureText(file, data.idsOf))
    if (!text) return undefined
    const captured = file.sources.map((source) => {
      const now = scanner.isServed(source) ? data.capture(source.name) : undefined
      return { source: now ? { ...source, value: now.value } : source, keep: now?.keep }
    })
    const sources = captured.map(({ source }) => source)
    journal.mark()
    for (const source of sources) onCapture(source)
    written = undefined
    const isChanged = text.update(toFileValue(file, sources))
    const content = isChanged
      ? fromDigest(await writeTempFile(paths, text.pieces(), stats))
      : file.content
    duration = performance.now() - startedAt
    return { text, content, sources, keeps: captured.flatMap(({ keep }) => keep ?? []), isChanged }
  }

  /** Moves the journal after the path has become a link to another file. */
  const followLink = async (file: LoadedFile): Promise<void> => {
    const now = tryRealPath(path)
    if (now === undefined || now === real) return
    await recover(file)
    const before = paths
    await journal.move(statePathsOf(now))
    real = now
    paths = statePathsOf(now)
    await removeIfEmpty(before.folder)
  }

  return {
    journal,
    get journalPath() {
      return paths.journal
    },
    get duration() {
      return duration
    },
    async write(onCapture) {
      const file = scanner.current().files.get(path)
      if (!file) return 'removed'
      if (file.diagnostics.some(isError)) return 'invalid'
      await lock.ensure()
      await followLink(file)
      const next = await handles.limit(() => prepare(file, onCapture))
      if (!next) return 'stale'
      const { text, content, sources, keeps, isChanged } = next
      const replace = (): boolean => {
        // This function is synchronous, so no code runs between the check and the replacement.
        if (!lock.isHeld() || !statUnchanged(file)) return false
        if (isChanged) renameSync(paths.temp, real)
        const stamp = toStamp(statSync(path))
        for (const keep of keeps) keep()
        scanner.accept({ ...file, stamp, content, sources, drafts: sources })
        return true
      }
      const isDone = await retryOnWindows(() => scanner.exclusive(replace))
      if (!isDone) {
        if (lock.isHeld()) await rm(paths.temp, { force: true })
        return 'stale'
      }
      written = { text, hash: content.hash() }
      await journal.compact()
      return 'written'
    },
    async discard() {
      await journal.discard()
      await removeIfEmpty(paths.folder)
    },
    async close() {
      await journal.close()
      await removeIfEmpty(paths.folder)
      const unsaved = journal.unsaved()
      const isLost = unsaved.lost.length > 0
      const copy = isLost ? await writeRescueCopy(paths.journal, journal.lines()) : undefined
      return { ...unsaved, copy }
    },
  }
}

/** The current data of the mock: the content of each resource, and the ids of its records. */
export interface DataSource extends FixtureData {
  idsOf: IdsOf
}

/**
 * The outcome of an attempt to write a file: `stale` if the file has changed since the last scan, `invalid`
 * if the file has an error, `removed` if there is no such file anymore.
 */
export type WriteOutcome = 'written' | 'stale' | 'invalid' | 'removed'

/** The records whose last state is not in their fixture file, and the copy of a journal that could not be written. */
export interface Unsaved extends UnsavedRecords {
  /** The path of the copy; undefined if there is none. */
  copy: string | undefined
}

/** The options of a fixture writer. */
export interface FixtureWriterOptions {
  /** The path of the file. */
  path: string
  scanner: Scanner
  data: DataSource
  /** Is checked before each change on the disk. */
  lock: WriteLock
  handles: Handles
  /** Applies the journal of an earlier run to the new target of a link. */
  recover(file: FixtureFile): Promise<unknown>
  /** Is called with the error or undefined after each write of the journal. */
  onJournalResult(error: unknown): void
}

/** The next content of a file. */
interface NextContent {
  text: FixtureText
  content: FileContent
  sources: Source[]
  /** Functions that declare the captured data the content of the fixtures. */
  keeps: (() => void)[]
  /** Whether the content differs from the file, and is in the temporary file. */
  isChanged: boolean
}

/** The real path of a file; with the real path of its folder if the file has just been deleted. */
function toRealPath(path: string): string {
  return tryRealPath(path) ?? join(tryRealPath(dirname(path)) ?? dirname(path), basename(path))
}

function tryRealPath(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}
