import { MockError } from '../core/errors/mock-error.ts'
import { type Diagnostic, isError } from '../core/fixtures/source.ts'
import { formatDiagnostic } from '../loader/check/format.ts'

/** @throws MockError with the text of every error, if there is an error among the problems */
export function throwErrors(problems: readonly Diagnostic[]): void {
  const errors = problems.filter(isError)
  if (errors.length === 0) return
  const message = errors.map((error) => formatDiagnostic(error)).join('\n\n')
  throw new MockError(message, { code: 'FIXTURES_INVALID', cause: errors })
}
