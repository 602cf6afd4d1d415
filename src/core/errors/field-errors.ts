import { toToken } from '../json/pointer.ts'
import type { FieldErrors, MockErrorOptions } from './mock-error.ts'

/**
 * Converts faults of fields in the body of a request to the members of the error response that describe them:
 * `errors` with one text for each field, by its dotted path, as forms show it, and `issues` with each fault and
 * its JSON Pointer (RFC 6901).
 * @example toFieldErrors([{ path: ['author', 'name'], message: 'is required' }])
 */
export function toFieldErrors(found: readonly Issue[]): {
  errors: FieldErrors
  extensions: Required<MockErrorOptions>['extensions']
} {
  const messages = new Map<string, Set<string>>()
  const issues = found.flatMap(({ path, message }) => {
    const name = path.join('.')
    const own = messages.get(name) ?? new Set()
    if (own.has(message)) return []
    messages.set(name, own.add(message))
    return { pointer: toPointer(path), detail: message }
  })
  const errors = Object.fromEntries(
    Array.from(messages, ([name, own]) => [name, [...own].join('; ')]),
  )
  return { errors, extensions: { issues } }
}

/** A fault of a field: the keys that lead from the body of the request to the field, and a message. */
export interface Issue {
  path: readonly (string | number)[]
  /** The message without the name of the field: `is required`. */
  message: string
}

/** Converts one fault of a field at the top of the body, such as the id, as `toFieldErrors` does. */
export function atField(field: string, message: string): ReturnType<typeof toFieldErrors> {
  return toFieldErrors([{ path: [field], message }])
}

/** Writes a JSON pointer as a URI fragment (RFC 6901 §6), the form that RFC 9457 uses. */
function toPointer(path: readonly (string | number)[]): string {
  return ['#', ...path.map((step) => encodeURIComponent(toToken(step)))].join('/')
}
