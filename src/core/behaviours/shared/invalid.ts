import { type FieldErrors, MockError } from '../../errors/mock-error.ts'
import type { Exchange, Write } from '../../http/contract/exchange.ts'
import { viewOf } from '../../http/resource/record-view.ts'
import { toToken } from '../../json/pointer.ts'

/**
 * An invalid field of a record: the keys that lead from the record to the field, and a message. The function
 * `invalid` turns issues into the error response 422.
 */
export interface Issue {
  path: readonly (string | number)[]
  /** The message without the name of the field: `is required`. */
  message: string
}

/**
 * Creates the error for a record with invalid fields: 422 with one entry in `errors` for each field,
 * under the name that the request uses, and JSON pointers (RFC 6901) in `issues`.
 */
export function invalid(
  { resource, place }: Write,
  issues: readonly Issue[],
  exchange: Exchange,
): MockError {
  const errors: FieldErrors = Object.create(null) as FieldErrors
  const pointers: { pointer: string; detail: string }[] = []
  for (const { path, message } of issues) {
    const named = path.map((step, at) =>
      at === 0 && typeof step === 'string' ? viewOf(exchange, resource.name).fieldName(step) : step,
    )
    const fullPath = place === undefined ? named : [place, ...named]
    const name = fullPath.join('.')
    const messages = (errors[name] ??= [])
    if (messages.includes(message)) continue
    messages.push(message)
    pointers.push({ pointer: toPointer(fullPath), detail: message })
  }
  const summary = Object.entries(errors).map(([name, messages]) =>
    `${name} ${messages.join(' and ')}`.trim(),
  )
  return new MockError(`Failed to write to "${resource.name}": ${summary.join(', ')}.`, {
    status: 422,
    code: 'RECORD_INVALID',
    errors,
    extensions: { issues: pointers },
  })
}

/** Writes a JSON pointer as a URI fragment (RFC 6901 §6), the form that RFC 9457 uses. */
function toPointer(path: readonly (string | number)[]): string {
  return ['#', ...path.map((step) => encodeURIComponent(toToken(step)))].join('/')
}
