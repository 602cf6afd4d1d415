import { mkdir, open, readFile, rename, stat, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { MockError } from '../../core/errors/mock-error.ts'
import { toPersistProblem } from '../../loader/persist/persist-problem.ts'
import { removeIfEmpty, statePathsOf, withFolder } from '../../loader/persist/state-folder.ts'

/**
 * Replaces the content of a file by a text, so that a killed process leaves either the old or the new text.
 * Resolves to whether the file was written: a file that already has the text is left alone.
 * @throws MockError that names the file by its label
 */
export async function writeFileAtomically(
  path: string,
  text: string,
  label: string,
): Promise<boolean> {
  try {
    const before = await readFile(path, 'utf8').catch(() => undefined)
    if (before === text) return false
    await mkdir(dirname(path), { recursive: true })
    const mode = await stat(path).then(
      (stats) => stats.mode,
      () => 0o666,
    )
    const { folder, temp } = statePathsOf(path)
    await unlink(temp).catch(() => undefined)
    const handle = await withFolder(folder, () => open(temp, 'w', mode))
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temp, path)
    await removeIfEmpty(folder)
    return true
  } catch (error) {
    const { message, advice = '' } = toPersistProblem(label, error, ', and record again.')
    throw new MockError(`${message} ${advice}`.trim(), { cause: error })
  }
}
