import { toFieldErrors } from '../../errors/field-errors.ts'
import { type Issue, MockError } from '../../errors/mock-error.ts'
import type { Exchange, Write } from '../../http/contract/exchange.ts'
import { viewOf } from '../../http/resource/record-view.ts'

/** Creates the error 422, or of another status, with the names that the request uses; paths of issues lead from the record to the field. */
export function invalid(
  { resource, place }: Write,
  issues: readonly Issue[],
  exchange: Exchange,
  status = 422,
): MockError {
  const view = viewOf(exchange, resource.name)
  const fields = toFieldErrors(
    issues.map((issue) => {
      const named = issue.path.map((step, index) =>
        index === 0 && typeof step === 'string' ? view.fieldName(step) : step,
      )
      return { ...issue, path: place === undefined ? named : [place, ...named] }
    }),
  )
  const summary = Object.entries(fields.errors).map(([name, text]) => `${name} ${text}`.trim())
  return new MockError(`Failed to write to "${resource.name}": ${summary.join(', ')}.`, {
    status,
    code: 'RECORD_INVALID',
    ...fields,
  })
}
