import { MockError } from '../core/errors/mock-error.ts'
import { type Diagnostic, isError } from '../core/fixtures/source.ts'
import { formatDiagnostic } from '../loader/check/diagnose.ts'

/**
 * Throws one error for all problems with fixtures that are errors; warnings do not throw.
 * @throws MockError with the formatted text of every error
 */
export function throwErrors(
  problems: readonly Diagnostic[],
  { toleratesEmpty = false, code = 'FIXTURES_INVALID' }: ThrowOptions = {},
): void {
  const errors = problems.filter((one) => isError(one) && !(toleratesEmpty && one.isEmpty))
  if (errors.length === 0) return
  const message = errors.map((error) => formatDiagnostic(error)).join('\n\n')
  throw new MockError(message, { code, cause: errors })
}

/** The options of {@link throwErrors}. */
interface ThrowOptions {
  /** Whether the error of an empty file is tolerated. @default false */
  toleratesEmpty?: boolean | undefined
  /** The code of the error. @default 'FIXTURES_INVALID' */
  code?: string
}
