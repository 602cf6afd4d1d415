import { mkdirSync } from 'node:fs'
import { rmdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { codeOf } from '../../core/errors/error-details.ts'

/** The paths of a file's journal (writes that it lacks) and temporary file (its next text), in `.fixtura`. */
export interface StatePaths {
  folder: string
  journal: string
  /** The journal that will replace the journal. */
  nextJournal: string
  temp: string
}

/** Returns the state paths of a fixture file. Takes the real path, so that a rename never crosses file systems. */
export function statePathsOf(realPath: string): StatePaths {
  const folder = join(dirname(realPath), STATE_FOLDER)
  const base = join(folder, basename(realPath))
  return {
    folder,
    journal: `${base}.journal`,
    nextJournal: `${base}.journal.next`,
    temp: `${base}.tmp`,
  }
}

/** The name of the state folder. Watchers of the fixtures ignore changes inside a hidden folder. */
export const STATE_FOLDER = '.fixtura'

/** Creates a state folder, but not its parent, which holds the fixture file. @throws the error of the file system */
export function ensureFolder(folder: string): void {
  try {
    mkdirSync(folder)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}

/** Removes a state folder if it is empty. */
export async function removeIfEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch(() => undefined)
}

/** Whether the error of the file system says that there is no file at a path. */
export function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(codeOf(error))
}
