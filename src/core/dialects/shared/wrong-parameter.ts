import { MockError } from '../../errors/mock-error.ts'

/** The error 400 *Failed to read "name": it reason.*; `sentence` replaces the text after the colon. */
export function wrongParameter(
  name: string,
  reason: string,
  sentence = `it ${reason}.`,
  cause?: unknown,
): MockError {
  return new MockError(`Failed to read "${name}": ${sentence}`, {
    status: 400,
    code: 'QUERY_INVALID',
    cause,
    errors: { [name]: reason },
  })
}
