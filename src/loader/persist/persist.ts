import { codeOf } from '../../core/errors/error-details.ts'
import type { RecordDifference } from '../../core/fixtures/record-difference.ts'
import type { Diagnostic } from '../../core/fixtures/source.ts'
import type { FixtureFile } from '../discover/discover.ts'
import { createLimit, MAX_READS } from '../read/limit.ts'
import { isModule, type LoadedFile } from '../read/read-file.ts'
import type { PreparedFile } from '../watch/new-files.ts'
import type { Scanner } from '../watch/scanner.ts'
import { createFileIndex } from './fixture-file.ts'
import { createFixtureWriter, type DataSource, type FixtureWriter } from './fixture-writer.ts'
import type { Lock } from './lock.ts'
import {
  createProblemReporter,
  type Report,
  toModuleProblem,
  toUnwrittenProblem,
} from './persist-problem.ts'
import type { FindOwner } from './recover.ts'
import { createWriteQueue, type WriteQueue } from './write-queue.ts'

/**
 * Writes the changes that requests make (`--persist`): at once to a journal beside each fixture file, and
 * after a pause to the fixture file itself.
 */
export interface Persister {
  /** Whether changes of a resource are written to a file. */
  persists(name: string): boolean
  /** Adds a write to the data; undefined stands for the restore of a snapshot. */
  record(write: RecordDifference | undefined): void
  /** Resolves when all changes so far survive the end of the process; undefined if they do already. */
  settled(): Promise<unknown> | undefined
  /** Writes every file that has changes and can be written now. */
  flush(): Promise<void>
  /**
   * Writes the remaining changes; the journal keeps changes of a failed write. Returns the problems of files that
   * do not have all changes, which are reported too.
   */
  close(): Promise<Diagnostic[]>
}

/** Creates a persister for the fixture files that a scanner has loaded. */
export function createPersister(options: PersistOptions): Persister {
  const { scanner, data, report, lock, recover, pause, cwd = process.cwd() } = options
  const fileOf = createFileIndex(scanner)
  const problems = createProblemReporter(report)
  const limit = createLimit(MAX_READS)
  /** By path. */
  const openFiles = new Map<string, OpenFile>()
  /** The files whose last writes may not be in the journal yet. */
  const unsettled = new Set<OpenFile>()

  /** Drops the writes to a file that was removed; the scan that found the removal has reported them as conflicts. */
  const discard = async (path: string, file = openFiles.get(path)): Promise<void> => {
    if (openFiles.get(path) === file) openFiles.delete(path)
    file?.queue.discard()
    await file?.writer.discard()
  }
  const recoverNew = (file: FixtureFile): Promise<PreparedFile> =>
    recover(
      file,
      (journal) =>
        [...openFiles.values()].find(({ writer }) => writer.journalPath === journal)?.label,
    )
  const open = ({ path, label }: LoadedFile): OpenFile => {
    const writer = createFixtureWriter({
      path,
      scanner,
      data,
      lock,
      recover: recoverNew,
      onJournalResult(error) {
        // If the folder was removed, the next scan removes the resource.
        if (codeOf(error) !== 'ENOENT') problems.result(label, error)
      },
    })
    const queue = createWriteQueue({
      writer: { write: (onCapture) => limit(() => writer.write(onCapture)) },
      scan: () => scanner.scan(),
      onResult: (error) => problems.result(label, error),
      onRemoved: () => discard(path, opened),
      pause,
    })
    const opened = { label, writer, queue }
    return opened
  }
  const openFile = (name: string): OpenFile | undefined => {
    const file = fileOf(name)
    if (!file || isModule(file)) return undefined
    const opened = openFiles.get(file.path) ?? open(file)
    openFiles.set(file.path, opened)
    return opened
  }
  const record = (name: string, write: RecordDifference | undefined): void => {
    const file = openFile(name)
    if (!file) return
    if (write) file.writer.journal.add(write)
    else file.writer.journal.addAll()
    unsettled.add(file)
    file.queue.schedule()
  }

  const modules = [...scanner.current().files.values()].filter(isModule)
  const reported = modules.map(({ label }) => toModuleProblem(label))
  if (reported.length > 0) report({ reported, resolved: [] })
  scanner.prepareNewFiles(async (file) => {
    // The file may be back before its queue has found it removed.
    await discard(file.path).catch((error: unknown) => problems.result(file.label, error))
    return recoverNew(file)
  })

  return {
    persists(name) {
      const file = fileOf(name)
      return file !== undefined && !isModule(file)
    },
    record(write) {
      if (write) return record(write.collection, write)
      for (const { name } of scanner.current().sources) {
        const file = fileOf(name)
        const isOpen = file && openFiles.has(file.path)
        if (isOpen || data.differences(name).length > 0) record(name, undefined)
      }
    },
    settled() {
      const waits: Promise<void>[] = []
      for (const file of unsettled) {
        const wait = file.writer.journal.settled()
        if (wait) waits.push(wait)
        else unsettled.delete(file)
      }
      return waits.length > 0 ? Promise.all(waits) : undefined
    },
    async flush() {
      await Promise.all([...openFiles.values()].map(({ queue }) => queue.flush()))
    },
    async close() {
      const closed = [...openFiles.values()].map(async ({ label, writer, queue }) => {
        await queue.close()
        const unsaved = await writer.close()
        return unsaved ? [toUnwrittenProblem(label, unsaved, writer.journalPath, cwd)] : []
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
  /**
   * Applies the journal of an earlier run to a file that is new. `findOwner` returns the label of the file that
   * has the journal now.
   */
  recover(file: FixtureFile, findOwner: FindOwner): Promise<PreparedFile>
  /** The folder that labels are relative to. @default process.cwd() */
  cwd?: string | undefined
  /** How long requests have to pause before a file is written, in milliseconds. @default 100 */
  pause?: number
}

/** A file that is being written. */
interface OpenFile {
  label: string
  writer: FixtureWriter
  queue: WriteQueue
}
