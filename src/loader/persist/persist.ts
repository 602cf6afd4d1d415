import type { Diagnostic } from '../../core/fixtures/source.ts'
import { codeOf } from '../../core/errors/error-details.ts'
import { isModule, type LoadedFile } from '../read/read-file.ts'
import type { Scanner } from '../watch/scanner.ts'
import { createKeeper, type DataSource } from './fixture-writer.ts'
import { toLossProblem, toModuleProblem, toPersistProblem } from './persist-problem.ts'
import { createSaver, type Saver } from './write-queue.ts'
import { createTracker, type PersistChange } from './tracker.ts'

/** What keeps files from being written, and the files where that is over. */
export interface Report {
  reported: Diagnostic[]
  resolved: string[]
}

/** What a persister works with. */
export interface PersistOptions {
  scanner: Scanner
  data: DataSource
  /** Hears of what keeps files from being written, once each, and of the files where it is over. */
  report(news: Report): void
  /** How long requests have to pause before a file is written, in milliseconds. @default 100 */
  pause?: number
}

/** Keeps what requests write: at once in a journal, and soon in the fixture files. */
export interface Persister {
  /** Whether what requests write to a resource is kept. */
  keeps(name: string): boolean
  /** Takes a change of the data. */
  record(change: PersistChange): void
  /** Resolves when every change so far survives the end of the process; undefined where it does already. */
  settled(): Promise<unknown> | undefined
  /** Writes every file that has changes, as far as that is possible now. */
  flush(): Promise<void>
  /** Writes what is left, and leaves no handle open. What could not be written stays in the journal. */
  close(): Promise<void>
}

/** Makes a persister for what a scanner has loaded. */
export function createPersister({ scanner, data, report, pause }: PersistOptions): Persister {
  const tracker = createTracker(data.idsOf)
  const savers = new Map<string, Saver>()
  const told = new Map<string, string>()
  let index: { of: unknown; files: Map<string, LoadedFile> } | undefined

  /** The file that a resource comes from. */
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
  const tell = (label: string, error: unknown): void => {
    const problem = toPersistProblem(label, error)
    if (told.get(label) === problem.message) return
    told.set(label, problem.message)
    report({ reported: [problem], resolved: [] })
  }
  const tellGood = (label: string): void => {
    if (told.delete(label)) report({ reported: [], resolved: [label] })
  }
  const open = ({ path, label }: LoadedFile): Saver => {
    const keeper = createKeeper(path, scanner, data, (error) => {
      // Where the folder is gone, the resource will be in a moment.
      if (error !== undefined && codeOf(error) !== 'ENOENT') tell(label, error)
    })
    return createSaver({
      keeper,
      look: () => scanner.scan(),
      onCapture: ({ name, value }) => tracker.rebase(name, value),
      onResult: (error) => (error === undefined ? tellGood(label) : tell(label, error)),
      onGone: () => void savers.delete(path),
      pause,
    })
  }
  const saverOf = (name: string): Saver | undefined => {
    const file = fileOf(name)
    if (!file || isModule(file)) return undefined
    const saver = savers.get(file.path) ?? open(file)
    savers.set(file.path, saver)
    return saver
  }
  const recordAll = (): void => {
    for (const { name } of scanner.current().sources) {
      const value = data.read(name)
      const entries = value === undefined ? [] : tracker.diff(name, value)
      if (entries.length > 0) saverOf(name)?.append(entries)
    }
  }

  for (const { name } of scanner.current().sources) tracker.rebase(name, data.read(name))
  const modules = [...scanner.current().files.values()].filter(isModule)
  const reported = modules.map(({ label }) => toModuleProblem(label))
  if (reported.length > 0) report({ reported, resolved: [] })

  return {
    keeps(name) {
      const file = fileOf(name)
      return file !== undefined && !isModule(file)
    },
    record(change) {
      const { type, collection } = change
      if (type === 'reset') recordAll()
      else if (collection === undefined) return
      else if (type === 'reloaded') tracker.rebase(collection, data.read(collection))
      else saverOf(collection)?.append([tracker.toEntry({ ...change, collection })])
    },
    settled() {
      const waits = [...savers.values()].flatMap((saver) => saver.settled() ?? [])
      return waits.length > 0 ? Promise.all(waits) : undefined
    },
    async flush() {
      await Promise.all([...savers.values()].map((saver) => saver.flush()))
    },
    async close() {
      const all = [...savers]
      savers.clear()
      await Promise.all(
        all.map(async ([path, saver]) => {
          const lost = await saver.close()
          const { label = path } = scanner.current().files.get(path) ?? {}
          if (lost > 0) report({ reported: [toLossProblem(label, lost)], resolved: [] })
        }),
      )
    },
  }
}
