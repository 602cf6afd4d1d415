import { MockError } from '../../core/errors/mock-error.ts'
import { writeChanged } from '../../loader/atomic-write.ts'
import { toPersistProblem } from '../../loader/persist/persist-problem.ts'

/** Replaces a file as a whole, unless it has the text already. Resolves to whether it did. @throws MockError */
export async function writeFileAtomically(
  path: string,
  text: string,
  label: string,
): Promise<boolean> {
  try {
    return await writeChanged(path, text)
  } catch (error) {
    const { message, advice = '' } = toPersistProblem(label, error, ', and record again.')
    throw new MockError(`${message} ${advice}`.trim(), { cause: error })
  }
}

/** A file to write, and its text. */
export interface PlannedFile {
  path: string
  text: string
}
