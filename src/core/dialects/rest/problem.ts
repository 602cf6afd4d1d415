import type { MockError } from '../../errors/mock-error.ts'
import { problemType, toProblem } from '../../errors/problem.ts'
import type { Answer } from '../contract/dialect.ts'

/**
 * Renders an error as problem details (RFC 9457), with the member `errors`, which react-admin and refine show in
 * forms.
 */
export function renderError(error: MockError): Answer {
  const { status, message, errors, headers, extensions } = error
  return {
    status,
    headers,
    type: problemType,
    value: toProblem(status, message, { ...(errors && { errors }), ...extensions }),
  }
}
