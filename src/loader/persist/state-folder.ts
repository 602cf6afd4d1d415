import { mkdir, rmdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { codeOf } from '../../core/errors/error-details.ts'

/** Where what belongs to a fixture file stands while it is being written: a hidden folder beside the file. */
export interface StatePaths {
  folder: string
  journal: string
  temp: string
}

/** The places that belong to a file, by its real path, so that a rename never crosses file systems. */
export function statePathsOf(realPath: string): StatePaths {
  const folder = join(dirname(realPath), STATE_FOLDER)
  const name = basename(realPath)
  return { folder, journal: join(folder, `${name}.journal`), temp: join(folder, `${name}.tmp`) }
}

/** Its own folder, because a change inside it does not wake those who watch the fixtures. */
export const STATE_FOLDER = '.fixtura'

/** Runs something that writes into a state folder, and makes the folder where it is missing. */
export async function withFolder<T>(folder: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    // Not the folders above: where they are gone, so is the fixture file.
    await mkdir(folder).catch(ignoreExisting)
    return run()
  }
}

/** Removes a state folder that holds nothing any more. */
export async function removeIfEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch(() => undefined)
}

function ignoreExisting(error: unknown): void {
  if (codeOf(error) !== 'EEXIST') throw error
}
