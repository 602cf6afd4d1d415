import { toToken } from '../json/pointer.ts'
import type { FieldErrors, Issue, MockErrorOptions } from './mock-error.ts'

/**
 * Converts faults of fields in the body of a request to the members of the error response that describe them:
 * `errors` with one text for each field, by its dotted path, as forms show it, and `issues` with each fault and
 * its JSON Pointer (RFC 6901); and to the issues that dialects word.
 * @example toFieldErrors([{ path: ['author', 'name'], message: 'is required' }])
 */
export function toFieldErrors(found: readonly Issue[]): {
  errors: FieldErrors
  extensions: Required<MockErrorOptions>['extensions']
  issues: readonly Issue[]
} {
  const messages = new Map<string, Set<string>>()
  const issues = found.filter(({ path, message }) => {
    const name = path.join('.')
    const texts = messages.get(name) ?? new Set()
    const { size } = texts
    return messages.set(name, texts.add(message)) && texts.size > size
  })
  const errors = Object.fromEntries(
    Array.from(messages, ([name, own]) => [name, [...own].join('; ')]),
  )
  const pointers = issues.map(({ path, message }) => ({
    pointer: toPointer(path),
    detail: message,
  }))
  return { errors, extensions: { issues: pointers }, issues }
}

/** Converts one fault of a field at the top of the body, such as the id, as `toFieldErrors` does. */
export function atField(field: string, message: string): ReturnType<typeof toFieldErrors> {
  return toFieldErrors([{ path: [field], message }])
}

/** Writes a JSON pointer as a URI fragment (RFC 6901 §6), the form that RFC 9457 uses. */
function toPointer(path: readonly (string | number)[]): string {
  return ['#', ...path.map((step) => encodeURIComponent(toToken(step)))].join('/')
}
