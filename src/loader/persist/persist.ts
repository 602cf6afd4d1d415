import type { Diagnostic } from '../../core/fixtures/source.ts'
import { codeOf } from '../../core/errors/error-details.ts'
import type { MockError } from '../../core/errors/mock-error.ts'
import { type FixtureFile, toLabel } from '../discover/discover.ts'
import { isModule, type LoadedFile } from '../read/read-file.ts'
import type { PreparedFile } from '../watch/new-files.ts'
import type { Scanner } from '../watch/scanner.ts'
import { createFixtureWriter, type DataSource, type FixtureWriter } from './fixture-writer.ts'
import { createFileIndex } from './file-index.ts'
import { createHandles } from './handles.ts'
import type { UnsavedWrite } from './journal-entry.ts'
import type { WriteLock } from './lock.ts'
import { toModuleProblem, toUnwrittenProblem } from './persist-problem.ts'
import { createProblemReporter, type Report } from './problem-reporter.ts'
import type { FindOwner } from './recover.ts'
import { createWriteQueue, type WriteQueue } from './write-queue.ts'
import { createTracker, type PersistChange } from './tracker.ts'

/**
 * Writes the changes that requests make (`--persist`): at once to a journal beside each fixture file, and
 * after a pause to the fixture file itself.
 */
export interface Persister {
  /** Whether changes of a resource are written to a file. */
  persists(name: string): boolean
  /** Adds a change of the data. */
  record(change: PersistChange): void
  /** Resolves when all changes so far survive the end of the process; undefined if they do already. */
  settled(): Promise<unknown> | undefined
  /** Writes every file that has changes and can be written now. */
  flush(): Promise<void>
  /** Writes the journals again whose files were removed. */
  repair(): Promise<void>
  /** Reports that another process has taken over the lock. */
  reportLoss(error: MockError): void
  /**
   * Writes the remaining changes and closes all file handles. The journal keeps changes of a failed write. Returns
   * the problems of files that do not have all changes, which are reported too.
   */
  close(): Promise<Diagnostic[]>
}

/** Creates a persister for the fixture files that a scanner has loaded. */
export function createPersister(options: PersistOptions): Persister {
  const { scanner, data, report, lock, recover, pause, cwd = process.cwd() } = options
  const tracker = createTracker(data.idsOf)
  const handles = createHandles()
  const fileOf = createFileIndex(scanner)
  const problems = createProblemReporter(report)
  /** By path. */
  const openFiles = new Map<string, OpenFile>()
  /** The writers of files that did not have all changes when they were closed, by path. */
  const unwritten = new Map<string, FixtureWriter>()
  /** The queues whose last writes may not be in the journal yet. */
  const unsettled = new Set<WriteQueue>()
  /** The promise of `close` while it runs. */
  let closing: Promise<Diagnostic[]> | undefined

  /** Drops the writes to a file that was removed; the scan that found the removal has reported them as conflicts. */
  const discard = async (path: string, queue = openFiles.get(path)?.queue): Promise<void> => {
    if (openFiles.get(path)?.queue === queue) openFiles.delete(path)
    await queue?.discard()
  }
  const recoverNew = async (file: FixtureFile): Promise<PreparedFile> => {
    const findOwner = (journal: string): string | undefined =>
      [...openFiles.values()].find(({ writer }) => writer.journalPath === journal)?.label
    try {
      await lock.ensure()
    } catch {
      // The file is read without its journal; each write of the file reports the error.
      return { isDone: false, diagnostics: [] }
    }
    return recover(file, findOwner)
  }
  const createWriter = ({ path, label }: LoadedFile): FixtureWriter =>
    createFixtureWriter({
      path,
      scanner,
      data,
      lock,
      handles,
      recover: recoverNew,
      onJournalResult(error) {
        // If the folder was removed, the next scan removes the resource.
        if (error !== undefined && codeOf(error) !== 'ENOENT') problems.result(label, error)
      },
    })
  const open = (file: LoadedFile): OpenFile => {
    const { path, label } = file
    const writer = unwritten.get(path) ?? createWriter(file)
    unwritten.delete(path)
    const queue: WriteQueue = createWriteQueue({
      writer,
      scan: () => scanner.scan(),
      onCapture: ({ name, value }) => tracker.rebase(name, value),
      onResult: (error) => problems.result(label, error),
      onRemoved: () => discard(path, queue),
      pause,
    })
    return { label, writer, queue }
  }
  const queueOf = (name: string): WriteQueue | undefined => {
    const file = fileOf(name)
    if (!file || isModule(file)) return undefined
    const opened = openFiles.get(file.path) ?? open(file)
    openFiles.set(file.path, opened)
    return opened.queue
  }
  const settled = (): Promise<unknown> | undefined => {
    if (closing) return closing.then(settled)
    const waits: Promise<void>[] = []
    for (const queue of unsettled) {
      const wait = queue.settled()
      if (wait) waits.push(wait)
      else unsettled.delete(queue)
    }
    return waits.length > 0 ? Promise.all(waits) : undefined
  }
  const append = (name: string, writes: UnsavedWrite[]): void => {
    // While a file is closed, it has a queue that accepts no writes.
    if (closing) return void closing.then(() => append(name, writes))
    const queue = queueOf(name)
    if (!queue) return
    queue.append(writes)
    unsettled.add(queue)
  }
  const closeAll = async (): Promise<Diagnostic[]> => {
    const closed = [...openFiles].map(async ([path, { label, writer, queue }]) => {
      const unsaved = await queue.close()
      if (unsaved.kept.length + unsaved.lost.length === 0) return []
      unwritten.set(path, writer)
      return [toUnwrittenProblem(label, unsaved, toLabel(writer.journalPath, cwd))]
    })
    const reported = (await Promise.all(closed)).flat()
    openFiles.clear()
    unsettled.clear()
    if (reported.length > 0) report({ reported, resolved: [] })
    return reported
  }
  const recordAll = (): void => {
    for (const { name } of scanner.current().sources) {
      const value = data.read(name)
      const writes = value === undefined ? [] : tracker.diff(name, value)
      if (writes.length > 0) append(name, writes)
    }
  }

  for (const { name } of scanner.current().sources) tracker.rebase(name, data.read(name))
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
    record(change) {
      const { type, collection } = change
      if (type === 'reset') recordAll()
      else if (collection === undefined) return
      else if (type === 'reloaded') tracker.rebase(collection, data.read(collection))
      else append(collection, [tracker.toWrite({ ...change, collection })])
    },
    settled,
    async flush() {
      await Promise.all([...openFiles.values()].map(({ queue }) => queue.flush()))
    },
    async repair() {
      await Promise.all([...openFiles.values()].map(({ writer }) => writer.journal.repair()))
    },
    reportLoss: (error) => problems.result('', error),
    close() {
      closing ??= closeAll().finally(() => {
        closing = undefined
      })
      return closing
    },
  }
}

/** Options of a persister. */
export interface PersistOptions {
  scanner: Scanner
  data: DataSource
  /** Is called when a file cannot be written, and when it can be written again. */
  report(report: Report): void
  /** Is checked before each change on the disk. */
  lock: WriteLock
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
