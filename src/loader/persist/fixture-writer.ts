import { existsSync, realpathSync, renameSync, statSync, type Stats } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import type { FixtureData, IdsOf } from '../../core/fixtures/fixture-data.ts'
import { isError, type Source } from '../../core/fixtures/source.ts'
import { digest } from '../read/digest.ts'
import { fromDigest } from '../read/file-content.ts'
import type { LoadedFile } from '../read/read-file.ts'
import type { Scanner } from '../watch/scanner.ts'
import { isSameStamp, toStamp } from '../read/stamp.ts'
import { writeDraft } from './temp-file.ts'
import { toFileValue, toFixtureText } from './file-value.ts'
import { createJournal, type Journal } from './journal.ts'
import { patiently } from './retry-on-windows.ts'
import type { FixtureText } from './patch-text.ts'
import { removeIfEmpty, type StatePaths, statePathsOf } from './state-folder.ts'

/** Where the data is that is to be written. */
export interface DataSource extends FixtureData {
  idsOf: IdsOf
}

/** What became of an attempt to write a file; `moved` asks for another look at the disk first. */
export type Outcome = 'written' | 'moved' | 'broken' | 'gone'

/** Brings what requests did into one fixture file. */
export interface Keeper {
  /** Stands beside the file: it is another one when a link has come to lead elsewhere. */
  readonly journal: Journal
  /**
   * Writes the file from what the data is now, unless somebody else has changed it meanwhile. What is
   * captured for it is handed over first, so that later writes are told from those.
   * @throws the error of the file system
   */
  write(onCapture: (source: Source) => void): Promise<Outcome>
  /** Forgets the journal of a file that is gone. */
  discard(): Promise<void>
  /** Gives the number of writes that neither the file nor the journal has. */
  close(): Promise<number>
}

/** Makes the keeper of a file; `onJournal` hears how writing its journal goes. */
export function createKeeper(
  path: string,
  scanner: Scanner,
  data: DataSource,
  onJournal: (error: unknown) => void,
): Keeper {
  const openPlace = (real: string): Place => {
    const paths = statePathsOf(real)
    return { real, paths, journal: createJournal(paths, onJournal) }
  }
  let place = openPlace(toRealPath(path))
  /** The text that the disk has, and what it is known by. */
  let known: { text: FixtureText; hash: string } | undefined

  const readText = async (file: LoadedFile): Promise<FixtureText | undefined> => {
    const hash = file.imprint.hash()
    if (known?.hash === hash) return known.text
    const bytes = await readFile(path)
    if (digest(bytes) !== hash) return undefined
    return toFixtureText(file, bytes.toString(), data.idsOf)
  }

  const isUntouched = (file: LoadedFile): Stats | undefined => {
    const stats = statSync(path, { throwIfNoEntry: false })
    return stats && file.stamp && isSameStamp(file.stamp, toStamp(stats)) ? stats : undefined
  }

  return {
    get journal() {
      return place.journal
    },
    async write(onCapture) {
      const file = scanner.current().files.get(path)
      if (!file) return 'gone'
      if (file.diagnostics.some(isError)) return 'broken'
      const stats = isUntouched(file)
      const text = stats && (await readText(file))
      if (!text) return 'moved'
      const real = toRealPath(path)
      if (real !== place.real) {
        const left = place
        place = openPlace(real)
        await discard(left)
      }
      const { paths, journal } = place

      const isServed = new Set(scanner.current().sources)
      const captured = file.sources.map((source) => {
        const now = isServed.has(source) ? data.capture(source.name) : undefined
        return { source: now ? { ...source, value: now.value } : source, keep: now?.keep }
      })
      const sources = captured.map(({ source }) => source)
      journal.mark()
      for (const { source } of captured) onCapture(source)
      known = undefined
      const isChanged = text.update(toFileValue(file, sources))
      const imprint = isChanged
        ? fromDigest(await writeDraft(paths, text.pieces(), stats))
        : file.imprint
      const replace = (): boolean => {
        // Nothing else runs between this look at the file and its replacement.
        if (!isUntouched(file)) return false
        if (isChanged) renameSync(paths.temp, real)
        const stamp = toStamp(statSync(path))
        for (const { keep } of captured) keep?.()
        scanner.accept({ ...file, stamp, imprint, sources, drafts: sources })
        return true
      }
      const isDone = await patiently(() => scanner.exclusive(replace))
      if (!isDone) {
        await rm(paths.temp, { force: true })
        return 'moved'
      }
      known = { text, hash: imprint.hash() }
      await journal.compact()
      return 'written'
    },
    discard: () => discard(place),
    async close() {
      const lost = await place.journal.close()
      await removeIfEmpty(place.paths.folder)
      // What was written to a file that is gone has gone with it.
      return existsSync(path) ? lost : 0
    },
  }
}

/** Where a file really stands, and what is kept beside it. */
interface Place {
  real: string
  paths: StatePaths
  journal: Journal
}

async function discard({ journal, paths }: Place): Promise<void> {
  await journal.close()
  await rm(paths.journal, { force: true })
  await removeIfEmpty(paths.folder)
}

/** Where a link leads; a file that has just been deleted is still a place for a journal. */
function toRealPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
