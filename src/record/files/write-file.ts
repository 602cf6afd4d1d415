import { readFile } from 'node:fs/promises'
import { MockError } from '../../core/errors/mock-error.ts'
import { writeAtomically } from '../../loader/atomic-write.ts'
import { toPersistProblem } from '../../loader/persist/persist-problem.ts'

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
    await writeAtomically(path, text)
    return true
  } catch (error) {
    const { message, advice = '' } = toPersistProblem(label, error, ', and record again.')
    throw new MockError(`${message} ${advice}`.trim(), { cause: error })
  }
}
