import { readFile } from 'node:fs/promises'
import { codeOf } from '../core/errors/error-details.ts'
import { MockError } from '../core/errors/mock-error.ts'
import { toLabel } from '../loader/discover/discover.ts'
import { toPersistProblem } from '../loader/persist/persist-problem.ts'
import { writeChanged } from '../loader/write-changed.ts'

/**
 * Writes a generated text, such as types or an OpenAPI document, to a file, unless the file has the text
 * already. Never overwrites a file that a person has written. Resolves to whether the file was written.
 * @throws MockError for a file that was not generated, and for a file that cannot be written
 */
export async function writeGenerated(
  path: string,
  { text, marker }: GeneratedText,
  cwd: string,
): Promise<boolean> {
  const label = toLabel(path, cwd)
  const before = await readFile(path, 'utf8').catch(() => '')
  if (before.trim() !== '' && !before.includes(marker)) {
    throw new MockError(
      `Failed to write "${label}": Fixtura has not generated the file. Please choose another name, or delete the file.`,
      { code: 'OUTPUT_INVALID' },
    )
  }
  return writeChanged(path, text).catch((error: unknown) => {
    throw toError(label, error)
  })
}

/** A text that Fixtura generates for a file. */
export interface GeneratedText {
  text: string
  /** The part of the text by which a file is recognized as generated. */
  marker: string
}

function toError(label: string, cause: unknown): MockError {
  if (codeOf(cause) === 'EISDIR') {
    return new MockError(`Failed to write "${label}": it is a folder. Please choose another name.`)
  }
  const { message, advice } = toPersistProblem(label, cause, '.')
  return new MockError(`${message} ${advice}`, { cause })
}
