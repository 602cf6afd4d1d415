import { realpathSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { FixtureData, IdsOf } from '../../core/fixtures/fixture-data.ts'
import type { RecordDifference, Step } from '../../core/fixtures/record-difference.ts'
import { isError, type Source } from '../../core/fixtures/source.ts'
import type { FixtureFile } from '../discover/discover.ts'
import type { LoadedFile } from '../read/read-file.ts'
import { toStamp } from '../read/stable-read.ts'
import type { Scanner } from '../watch/scanner.ts'
import { type Commit, replaceFile } from './fixture-file.ts'
import { createJournal, type Journal } from './journal.ts'
import type { Lock } from './lock.ts'
import { removeIfEmpty, statePathsOf } from './state-folder.ts'

/** Writes the current data to one fixture file, and owns its journal (writes that are not in it yet). */
export interface FixtureWriter {
  readonly label: string
  /** The journal. It changes when the path becomes a link to another file. */
  readonly journal: Journal
  readonly journalPath: string
  /**
   * Writes the current data, captured at `onCapture`, unless the file has changed since the last scan.
   * @throws the error of the file system, or MockError when another process has locked the file
   */
  write(onCapture: () => void): Promise<WriteOutcome>
  /** Whether a resource is served from the file, or was before the file was removed. */
  owns(name: string): boolean
  /** Completes the journal, or else copies it elsewhere. Returns what the file lacks; undefined for nothing. */
  close(): Promise<Unsaved | undefined>
}

/** Creates the writer of a fixture file. */
export function createFixtureWriter(options: FixtureWriterOptions): FixtureWriter {
  const { path, label, scanner, data, lock, recover, onJournalResult } = options
  let real = toRealPath(path)
  let paths = statePathsOf(real)

  /** The resources that are served from the file, or were before it was removed. */
  let names: readonly string[] = []
  const updateNames = (): readonly string[] => {
    const { files, sources } = scanner.current()
    const own = files.get(path)?.sources.filter(scanner.isServed)
    if (own) names = own.map(({ name }) => name)
    else names = names.filter((name) => !sources.some((source) => source.name === name))
    return names
  }
  updateNames()
  const unsaved = (records: readonly Step[] = []): RecordDifference[] => {
    return updateNames().flatMap((name) => {
      const named = records.filter(({ collection }) => collection === name)
      return data.differences(name, new Set(named.map(({ id }) => id)))
    })
  }
  const openJournal = (): Journal =>
    createJournal(paths, { acquire: lock.acquire, unsaved, onResult: onJournalResult })
  let journal = openJournal()

  /** Moves the journal after the path has become a link to another file. */
  const followLink = async (file: LoadedFile): Promise<void> => {
    const now = tryRealPath(path)
    if (now === undefined || now === real) return
    await recover(file)
    const before = { journal, folder: paths.folder }
    real = now
    paths = statePathsOf(now)
    journal = openJournal()
    journal.add()
    if (journal.isComplete()) before.journal.remove()
    await removeIfEmpty(before.folder)
  }

  return {
    label,
    get journal() {
      return journal
    },
    get journalPath() {
      return paths.journal
    },
    async write(onCapture) {
      const file = scanner.current().files.get(path)
      updateNames()
      if (!file) return 'removed'
      if (file.diagnostics.some(isError)) return 'invalid'
      lock.acquire()
      await followLink(file)
      let sources: Source[] = []
      let keeps: (() => void)[] = []
      const capture = (): Source[] => {
        const captured = file.sources.map((source) => {
          const now = scanner.isServed(source) ? data.capture(source.name) : undefined
          return { source: now ? { ...source, value: now.value } : source, keep: now?.keep }
        })
        sources = captured.map(({ source }) => source)
        keeps = captured.flatMap(({ keep }) => keep ?? [])
        journal.capture()
        onCapture()
        return sources
      }
      const commit: Commit = (replace, hash) =>
        scanner.exclusive(() => {
          journal.mark(true)
          let isReplaced = false
          try {
            isReplaced = replace()
          } finally {
            if (!isReplaced) journal.mark(false)
          }
          if (!isReplaced) return false
          const stamp = toStamp(statSync(path))
          for (const keep of keeps) keep()
          scanner.accept({ ...file, stamp, hash, sources, drafts: sources })
          return true
        })
      if (!(await replaceFile(file, capture, data.idsOf, commit))) return 'stale'
      journal.compact()
      return 'written'
    },
    owns: (name) => updateNames().includes(name),
    async close() {
      const rest = unsaved()
      if (rest.length === 0) {
        journal.remove()
        await removeIfEmpty(paths.folder)
        return undefined
      }
      if (journal.isComplete()) return { writes: rest, place: paths.journal }
      const copy = join(tmpdir(), `fixtura-${process.pid}-${Date.now()}-${basename(paths.journal)}`)
      const text = rest.map((write) => `${JSON.stringify(write)}\n`).join('')
      // Only this user can read the copy.
      return writeFile(copy, text, { flag: 'wx', mode: 0o600, flush: true }).then(
        () => ({ writes: rest, place: copy }),
        () => ({ writes: rest, place: undefined }),
      )
    },
  }
}

/** The current data of the mock: the content of each resource, and the ids of its records. */
export interface DataSource extends FixtureData {
  idsOf: IdsOf
}

/** `stale` if the file has changed since the last scan, `invalid` if it has an error, `removed` if it is gone. */
export type WriteOutcome = 'written' | 'stale' | 'invalid' | 'removed'

/** The writes that a fixture file does not have when it is closed. */
export interface Unsaved {
  writes: RecordDifference[]
  /** The path of the journal, or of a copy of its lines; undefined if the writes are lost. */
  place: string | undefined
}

/** The options of a fixture writer. */
export interface FixtureWriterOptions {
  path: string
  label: string
  scanner: Scanner
  data: DataSource
  lock: Pick<Lock, 'acquire'>
  /** Applies the journal of an earlier run to the new target of a link. */
  recover(file: FixtureFile): Promise<unknown>
  /** Is called with the error or undefined after each write of the journal. */
  onJournalResult(error: unknown): void
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
