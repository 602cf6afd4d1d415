import { realpathSync, renameSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { IdsOf } from '../../core/fixtures/fixture-data.ts'
import type { Source } from '../../core/fixtures/source.ts'
import type { LoadedFile } from '../read/read-file.ts'
import { statUnchanged } from '../read/stable-read.ts'
import { readFixtureText, toFileValue } from './file-value.ts'
import { retryOnWindows } from './retry-on-windows.ts'
import { removeIfEmpty, statePathsOf } from './state-folder.ts'
import { writeTempFile } from './temp-file.ts'

/**
 * Replaces a fixture file atomically by a file with these values of its resources; the file keeps its layout. Returns
 * false, and leaves the file alone, if another program has changed the file since it was loaded.
 * @throws the error of the file system, or one with the code `FILE_READ_ONLY`
 */
export async function replaceFile(
  file: LoadedFile,
  sources: readonly Source[],
  idsOf: IdsOf,
): Promise<boolean> {
  const stats = statUnchanged(file)
  const text = stats && (await readFixtureText(file, idsOf))
  if (!text) return false
  if (!text.update(toFileValue(file, sources))) return true
  const real = realpathSync(file.path)
  const paths = statePathsOf(real)
  await writeTempFile(paths, text.pieces(), stats)
  const isReplaced = await retryOnWindows(() => {
    // This function is synchronous, so no code runs between the check and the replacement.
    if (!statUnchanged(file)) return false
    renameSync(paths.temp, real)
    return true
  })
  if (!isReplaced) await rm(paths.temp, { force: true })
  await removeIfEmpty(paths.folder)
  return isReplaced
}
