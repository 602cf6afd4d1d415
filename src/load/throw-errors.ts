import { MockError } from '../core/errors/mock-error.ts'
import { type Diagnostic, isError } from '../core/fixtures/source.ts'
import { formatDiagnostic } from '../loader/check/format.ts'

/**
 * Throws if a problem of the fixtures is an error; warnings do not throw, and with `toleratesEmpty` an empty
 * file does not.
 * @throws MockError `FIXTURES_INVALID` with the formatted text of every error
 */
export function throwErrors(problems: readonly Diagnostic[], toleratesEmpty = false): void {
  const errors = problems.filter((one) => isError(one) && !(toleratesEmpty && one.isEmpty))
  if (errors.length === 0) return
  const message = errors.map((error) => formatDiagnostic(error)).join('\n\n')
  throw new MockError(message, { code: 'FIXTURES_INVALID', cause: errors })
}
