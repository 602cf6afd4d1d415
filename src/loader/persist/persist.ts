import { codeOf } from '../../core/errors/error-details.ts'
import type { RecordDifference } from '../../core/fixtures/record-difference.ts'
import type { Diagnostic } from '../../core/fixtures/source.ts'
import type { FixtureFile } from '../discover/discover.ts'
import { createLimit, MAX_READS } from '../read/limit.ts'
import { isProgram, type LoadedFile } from '../read/read-file.ts'
import type { PreparedFile, Scanner } from '../watch/scanner.ts'
import { createFileIndex } from '../watch/file-index.ts'
import { createFixtureWriter, type DataSource, type FixtureWriter } from './fixture-writer.ts'
import type { Lock } from './lock.ts'
import {
  createProblemReporter,
  type Report,
  toModuleProblem,
  toUnwrittenProblem,
} from './persist-problem.ts'
import type { FindOwner } from './recover.ts'

/** Writes changes of requests: at once to a journal beside a fixture file, after a pause to the file. */
export interface Persister {
  /** Whether changes of a resource are written to a file. */
  persists(name: string): boolean
  /** Adds a write to the data; undefined stands for the restore of a snapshot. */
  record(write: RecordDifference | undefined): void
  /** Resolves when all changes so far survive the end of the process; undefined if they do already. */
  settled(): Promise<unknown> | undefined
  /** Writes every file that has changes and can be written now. */
  flush(): Promise<void>
  /** Writes the remaining changes. Returns the problems, also reported, of files that lack some. */
  close(): Promise<Diagnostic[]>
}

/**
 * Creates a persister for the fixture files that a scanner has loaded. It writes them when requests pause, or after
 * a second without a pause. Between two writes it waits for twenty times the duration of the last, so that writing
 * large files takes at most a twentieth of the time. A file that cannot be written is tried again.
 */
export function createPersister(options: PersistOptions): Persister {
  const { scanner, data, report, lock, recover, pause = 100, cwd = process.cwd() } = options
  const fileOf = createFileIndex(scanner)
  const problems = createProblemReporter(report)
  const limit = createLimit(MAX_READS)
  /** The writers of the files that requests have changed, by path. */
  const writers = new Map<string, FixtureWriter>()
  /** The writers whose last writes may not be in the journal yet. */
  const unsettled = new Set<FixtureWriter>()
  /** The writers whose files do not have all changes. */
  const dirty = new Set<FixtureWriter>()
  let timer: NodeJS.Timeout | undefined
  /** When the first of the unwritten changes was made, and when the next write may begin. */
  let firstAt = 0
  let restsUntil = 0
  let writing: Promise<void> | undefined

  const schedule = (delay: number): void => {
    clearTimeout(timer)
    timer = setTimeout(() => void flush(), delay)
  }
  const recoverNew = (file: FixtureFile): Promise<PreparedFile> =>
    recover(file, (journal) => {
      return [...writers.values()].find(({ journalPath }) => journalPath === journal)?.label
    })
  const open = ({ path, label }: LoadedFile): FixtureWriter => {
    const writer = createFixtureWriter({
      path,
      label,
      scanner,
      data,
      lock,
      recover: recoverNew,
      onJournalResult(error) {
        // If the folder was removed, the next scan removes the resource.
        if (codeOf(error) !== 'ENOENT') problems.result(label, error)
      },
    })
    writers.set(path, writer)
    return writer
  }
  const record = (name: string, write: RecordDifference | undefined): void => {
    const file = fileOf(name)
    if (!file || isProgram(file)) return
    const writer = writers.get(file.path) ?? open(file)
    writer.journal.add(write)
    unsettled.add(writer)
    scheduleWrite(writer)
  }
  const scheduleWrite = (writer: FixtureWriter): void => {
    const now = performance.now()
    if (dirty.size === 0) firstAt = now
    dirty.add(writer)
    schedule(
      Math.max(Math.min(pause, firstAt + Math.max(MAX_DELAY, pause) - now), restsUntil - now),
    )
  }
  /** Writes one file. Returns whether it has to be tried again after a scan. */
  const write = async (writer: FixtureWriter): Promise<boolean> => {
    try {
      const outcome = await writer.write(() => dirty.delete(writer))
      // The journal keeps the writes until the file is back.
      if (outcome === 'removed') dirty.delete(writer)
      if (outcome === 'stale') dirty.add(writer)
      if (outcome === 'written') problems.result(writer.label, undefined)
      return outcome === 'stale'
    } catch (error) {
      dirty.add(writer)
      problems.result(writer.label, error)
      return false
    }
  }
  const writeAll = async (): Promise<void> => {
    let isStale = true
    for (let attempt = 0; isStale && attempt < ATTEMPTS; attempt++) {
      await scanner.scan()
      const startedAt = performance.now()
      const written = await Promise.all([...dirty].map((one) => limit(() => write(one))))
      isStale = written.includes(true)
      restsUntil = performance.now() + 20 * (performance.now() - startedAt)
    }
  }
  const flush = async (isLast = false): Promise<void> => {
    await writing
    clearTimeout(timer)
    if (dirty.size === 0) return
    writing ??= writeAll().finally(() => {
      writing = undefined
    })
    await writing
    firstAt = performance.now()
    if (dirty.size > 0 && !isLast) schedule(RETRY_DELAY)
  }

  const modules = [...scanner.current().files.values()].filter(isProgram)
  const reported = modules.map(({ label }) => toModuleProblem(label))
  if (reported.length > 0) report({ reported, resolved: [] })
  scanner.prepareNewFiles(async (file) => {
    const writer = writers.get(file.path)
    if (!writer) return recoverNew(file)
    // The file is back: the store has the writes that are in its journal.
    scheduleWrite(writer)
    return { isDone: true, diagnostics: [] }
  })

  return {
    persists(name) {
      const file = fileOf(name)
      if (file) return !isProgram(file)
      return [...writers.values()].some((writer) => writer.owns(name))
    },
    record(write) {
      if (write) return record(write.collection, write)
      for (const { name } of scanner.current().sources) {
        const isOpen = writers.has(fileOf(name)?.path ?? '')
        if (isOpen || data.differences(name).length > 0) record(name, undefined)
      }
    },
    settled() {
      const waits: Promise<void>[] = []
      for (const writer of unsettled) {
        const wait = writer.journal.settled()
        if (wait) waits.push(wait)
        else unsettled.delete(writer)
      }
      return waits.length > 0 ? Promise.all(waits) : undefined
    },
    flush: () => flush(),
    async close() {
      await flush(true)
      const closed = [...writers.values()].map(async (writer) => {
        const unsaved = await writer.close()
        return unsaved ? [toUnwrittenProblem(writer.label, unsaved, writer.journalPath, cwd)] : []
      })
      const reported = (await Promise.all(closed)).flat()
      if (reported.length > 0) report({ reported, resolved: [] })
      return reported
    },
  }
}

/** Options of a persister. */
export interface PersistOptions {
  scanner: Scanner
  data: DataSource
  /** Is called when a file cannot be written, and when it can be written again. */
  report(report: Report): void
  /** Is acquired before each change on the disk. */
  lock: Pick<Lock, 'acquire'>
  /** Applies the journal of an earlier run to a new file. `findOwner` returns the file that has the journal now. */
  recover(file: FixtureFile, findOwner: FindOwner): Promise<PreparedFile>
  /** The folder that labels are relative to. @default process.cwd() */
  cwd?: string | undefined
  /** How long requests have to pause before a file is written, in milliseconds. @default 100 */
  pause?: number
}

/** How many times a file that other programs keep changing is written anew, before a pause. */
const ATTEMPTS = 5
/** In milliseconds. */
const MAX_DELAY = 1000
const RETRY_DELAY = 500
