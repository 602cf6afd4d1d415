import { existsSync, realpathSync, renameSync, statSync, type Stats } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import type { FixtureData, IdsOf } from '../../core/fixtures/fixture-data.ts'
import { isError, type Source } from '../../core/fixtures/source.ts'
import { digest } from '../read/digest.ts'
import { fromDigest } from '../read/file-content.ts'
import type { LoadedFile } from '../read/read-file.ts'
import type { Scanner } from '../watch/scanner.ts'
import { isSameStamp, toStamp } from '../read/stamp.ts'
import { writeTempFile } from './temp-file.ts'
import { toFileValue, toFixtureText } from './file-value.ts'
import { createJournal, type Journal } from './journal.ts'
import { retryOnWindows } from './retry-on-windows.ts'
import type { FixtureText } from './patch-text.ts'
import { removeIfEmpty, type StatePaths, statePathsOf } from './state-folder.ts'

/**
 * The current data of the mock, from which `--persist` updates the fixture files: the content of each
 * resource, and the ids of its records.
 */
export interface DataSource extends FixtureData {
  idsOf: IdsOf
}

/**
 * The outcome of an attempt to write a file: `stale` if the file has changed since the last scan, `invalid`
 * if the file has an error, `removed` if there is no such file anymore.
 */
export type WriteOutcome = 'written' | 'stale' | 'invalid' | 'removed'

/** Writes the data of resources to their fixture file. */
export interface FixtureWriter {
  /** The journal of the file. It changes when the path becomes a link to another file. */
  readonly journal: Journal
  /**
   * Writes the current data to the file, unless the file has changed since the last scan. Calls
   * `onCapture` with each source at the moment of its capture; later changes are not in the file.
   * @throws the error of the file system
   */
  write(onCapture: (source: Source) => void): Promise<WriteOutcome>
  /** Deletes the journal of a file that was removed. */
  discard(): Promise<void>
  /** Returns the number of writes that are neither in the file nor in the journal. */
  close(): Promise<number>
}

/** Creates the writer of a file; `onJournalResult` is called after each write of the journal. */
export function createFixtureWriter(
  path: string,
  scanner: Scanner,
  data: DataSource,
  onJournalResult: (error: unknown) => void,
): FixtureWriter {
  const openTarget = (real: string): Target => {
    const paths = statePathsOf(real)
    return { real, paths, journal: createJournal(paths, onJournalResult) }
  }
  let target = openTarget(toRealPath(path))
  /** The text on the disk and its digest, after a write. */
  let written: { text: FixtureText; hash: string } | undefined

  const readText = async (file: LoadedFile): Promise<FixtureText | undefined> => {
    const hash = file.content.hash()
    if (written?.hash === hash) return written.text
    const bytes = await readFile(path)
    if (digest(bytes) !== hash) return undefined
    return toFixtureText(file, bytes.toString(), data.idsOf)
  }

  /** The stats of the file; undefined if the file has changed since the last scan. */
  const statUnchanged = (file: LoadedFile): Stats | undefined => {
    const stats = statSync(path, { throwIfNoEntry: false })
    return stats && file.stamp && isSameStamp(file.stamp, toStamp(stats)) ? stats : undefined
  }

  return {
    get journal() {
      return target.journal
    },
    async write(onCapture) {
      const file = scanner.current().files.get(path)
      if (!file) return 'removed'
      if (file.diagnostics.some(isError)) return 'invalid'
      const stats = statUnchanged(file)
      const text = stats && (await readText(file))
      if (!text) return 'stale'
      const real = toRealPath(path)
      if (real !== target.real) {
        const before = target
        target = openTarget(real)
        await discard(before)
      }
      const { paths, journal } = target

      const served = new Set(scanner.current().sources)
      const captured = file.sources.map((source) => {
        const now = served.has(source) ? data.capture(source.name) : undefined
        return { source: now ? { ...source, value: now.value } : source, keep: now?.keep }
      })
      const sources = captured.map(({ source }) => source)
      journal.mark()
      for (const { source } of captured) onCapture(source)
      written = undefined
      const isChanged = text.update(toFileValue(file, sources))
      const content = isChanged
        ? fromDigest(await writeTempFile(paths, text.pieces(), stats))
        : file.content
      const replace = (): boolean => {
        // This function is synchronous, so no code runs between the check and the replacement.
        if (!statUnchanged(file)) return false
        if (isChanged) renameSync(paths.temp, real)
        const stamp = toStamp(statSync(path))
        for (const { keep } of captured) keep?.()
        scanner.accept({ ...file, stamp, content, sources, drafts: sources })
        return true
      }
      const isDone = await retryOnWindows(() => scanner.exclusive(replace))
      if (!isDone) {
        await rm(paths.temp, { force: true })
        return 'stale'
      }
      written = { text, hash: content.hash() }
      await journal.compact()
      return 'written'
    },
    discard: () => discard(target),
    async close() {
      const lost = await target.journal.close()
      await removeIfEmpty(target.paths.folder)
      // The writes to a file that was removed are not reported as lost.
      return existsSync(path) ? lost : 0
    },
  }
}

/** The real path of a fixture file, its state paths and its journal. */
interface Target {
  real: string
  paths: StatePaths
  journal: Journal
}

async function discard({ journal, paths }: Target): Promise<void> {
  await journal.close()
  await rm(paths.journal, { force: true })
  await removeIfEmpty(paths.folder)
}

/** The real path of a file; the path itself if the file has just been deleted. */
function toRealPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
