import type { Diagnostic } from '../../core/fixtures/source.ts'
import { codeOf } from '../../core/errors/error-details.ts'
import { MockError } from '../../core/errors/mock-error.ts'
import type { FixtureFile } from '../discover/discover.ts'
import { isModule, type LoadedFile } from '../read/read-file.ts'
import type { PreparedFile } from '../watch/new-files.ts'
import type { Scanner } from '../watch/scanner.ts'
import { createFixtureWriter, type DataSource, type FixtureWriter } from './fixture-writer.ts'
import type { UnsavedRecords } from './journal.ts'
import type { UnsavedWrite } from './journal-entry.ts'
import { noLock, type WriteLock } from './lock.ts'
import { toLossProblem, toModuleProblem, toPersistProblem } from './persist-problem.ts'
import type { FindOwner } from './recover.ts'
import { createWriteQueue, type WriteQueue } from './write-queue.ts'
import { createTracker, type PersistChange } from './tracker.ts'

/**
 * A report of a persister: the new problems with writing fixture files, and the files that can be written
 * again.
 */
export interface Report {
  /** New problems. A problem is reported once. */
  reported: Diagnostic[]
  /** Labels of files that can be written again. */
  resolved: string[]
}

/** Options of a persister. */
export interface PersistOptions {
  scanner: Scanner
  data: DataSource
  /** Is called when a file cannot be written, and when it can be written again. */
  report(report: Report): void
  /** Is checked before each change on the disk. @default a lock that is always held */
  lock?: WriteLock
  /**
   * Applies the journal of an earlier run to a file that is new. `findOwner` returns the label of the file that
   * has the journal now. @default no file has such a journal
   */
  recover?(file: FixtureFile, findOwner: FindOwner): Promise<PreparedFile>
  /** How long requests have to pause before a file is written, in milliseconds. @default 100 */
  pause?: number
}

/** Writes changes of the data to journals at once, and to the fixture files after a pause. */
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
  /** Writes the remaining changes and closes all file handles. The journal keeps changes of a failed write. */
  close(): Promise<void>
}

/** A file that is being written. */
interface OpenFile {
  label: string
  writer: FixtureWriter
  queue: WriteQueue
}

/** Creates a persister for the files that a scanner has loaded. */
export function createPersister(options: PersistOptions): Persister {
  const { scanner, data, report, lock = noLock, recover, pause } = options
  const tracker = createTracker(data.idsOf)
  /** By path. */
  const openFiles = new Map<string, OpenFile>()
  /** The last problem of each file that cannot be written, by label. */
  const problems = new Map<string, string>()
  /** The end of `close`, while it runs. */
  let closing: Promise<void> | undefined
  /** The files by resource name, for the result of a scan. */
  let index: { of: unknown; files: Map<string, LoadedFile> } | undefined

  /** The file that holds a resource. */
  const fileOf = (name: string): LoadedFile | undefined => {
    const current = scanner.current()
    if (index?.of !== current) {
      const served = new Set(current.sources)
      const files = new Map<string, LoadedFile>()
      for (const file of current.files.values()) {
        for (const source of file.sources) if (served.has(source)) files.set(source.name, file)
      }
      index = { of: current, files }
    }
    return index.files.get(name)
  }
  const reportProblem = (label: string, error: unknown): void => {
    const problem = toPersistProblem(label, error)
    // The error of the lock concerns all files.
    const key = error instanceof MockError ? '' : label
    if (problems.get(key) === problem.message) return
    problems.set(key, problem.message)
    report({ reported: [problem], resolved: [] })
  }
  const reportSuccess = (label: string): void => {
    if (problems.delete(label)) report({ reported: [], resolved: [label] })
  }
  const reportUnsaved = ({ label }: OpenFile, { lost }: UnsavedRecords): void => {
    if (lost.length > 0) report({ reported: [toLossProblem(label, lost.length)], resolved: [] })
  }
  /** Drops the writes to a file that was removed; its removal has reported them as conflicts. */
  const discard = async (path: string, queue = openFiles.get(path)?.queue): Promise<void> => {
    if (openFiles.get(path)?.queue === queue) openFiles.delete(path)
    await queue?.discard()
  }
  const recoverNew = async (file: FixtureFile): Promise<PreparedFile> => {
    const findOwner = (journal: string): string | undefined =>
      [...openFiles.values()].find(({ writer }) => writer.journalPath === journal)?.label
    if (!recover) return { isDone: true, diagnostics: [] }
    try {
      await lock.ensure()
    } catch {
      // The file is only read, as it is; each write of it reports the error.
      return { isDone: false, diagnostics: [] }
    }
    return recover(file, findOwner)
  }
  const open = ({ path, label }: LoadedFile): OpenFile => {
    const writer = createFixtureWriter({
      path,
      scanner,
      data,
      lock,
      recover: recoverNew,
      onJournalResult(error) {
        // If the folder was removed, the next scan removes the resource.
        if (error !== undefined && codeOf(error) !== 'ENOENT') reportProblem(label, error)
      },
    })
    const queue: WriteQueue = createWriteQueue({
      writer,
      scan: () => scanner.scan(),
      onCapture: ({ name, value }) => tracker.rebase(name, value),
      onResult: (error) =>
        error === undefined ? reportSuccess(label) : reportProblem(label, error),
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
    const waits = [...openFiles.values()].flatMap(({ queue }) => queue.settled() ?? [])
    return waits.length > 0 ? Promise.all(waits) : undefined
  }
  const append = (name: string, writes: UnsavedWrite[]): void => {
    // While a file is closed, it has a queue that accepts no writes.
    if (closing) void closing.then(() => append(name, writes))
    else queueOf(name)?.append(writes)
  }
  const closeAll = async (): Promise<void> => {
    const all = [...openFiles.values()]
    await Promise.all(all.map(async (file) => reportUnsaved(file, await file.queue.close())))
    openFiles.clear()
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
    await discard(file.path).catch((error: unknown) => reportProblem(file.label, error))
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
    reportLoss: (error) => reportProblem('', error),
    async close() {
      closing ??= closeAll().finally(() => {
        closing = undefined
      })
      await closing
    },
  }
}
