import { type FieldErrors, MockError } from '../../errors/mock-error.ts'
import type { Exchange, Write } from '../../http/contract/exchange.ts'
import { viewOf } from '../../http/resource/record-view.ts'
import { toToken } from '../../json/pointer.ts'

/** What is wrong at one place of a record. */
export interface Issue {
  path: readonly (string | number)[]
  /** Goes on from the field's name: `is required`. */
  message: string
}

/**
 * The answer to a record with wrong fields: 422 with one entry a field, as the request calls it, and
 * JSON pointers (RFC 6901).
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
    const whole = place === undefined ? named : [place, ...named]
    const name = whole.join('.')
    const messages = (errors[name] ??= [])
    if (messages.includes(message)) continue
    messages.push(message)
    pointers.push({ pointer: toPointer(whole), detail: message })
  }
  const words = Object.entries(errors).map(([name, messages]) =>
    `${name} ${messages.join(' and ')}`.trim(),
  )
  return new MockError(`Failed to write to "${resource.name}": ${words.join(', ')}.`, {
    status: 422,
    code: 'RECORD_INVALID',
    errors,
    extensions: { issues: pointers },
  })
}

/** The URI fragment form of a pointer (RFC 6901 §6), as RFC 9457 writes it. */
function toPointer(path: readonly (string | number)[]): string {
  return ['#', ...path.map((step) => encodeURIComponent(toToken(step)))].join('/')
}
