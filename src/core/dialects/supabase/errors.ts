import { MockError } from '../../errors/mock-error.ts'
import type { Answer } from '../contract/dialect.ts'

/** Creates an error with a code of PostgREST (`PGRST116`) or of PostgreSQL (`23505`). */
export function refuse(
  status: number,
  code: string,
  message: string,
  details: unknown = null,
  hint: string | null = null,
): MockError {
  return new MockError(message, { status, code, extensions: { details, hint } })
}

/** Renders an error as PostgREST does. An error of another part of the mock gets the code for its status. */
export function renderError(error: MockError): Answer {
  const { status, message, headers, extensions, errors = {} } = error
  const isOwn = Object.hasOwn(extensions, 'hint')
  const code = isOwn ? error.code : (codes[status] ?? 'PGRST000')
  const {
    details = Object.entries(errors)
      .map((pair) => pair.join(' '))
      .join('; ') || null,
  } = extensions
  return {
    status: !isOwn && status === 422 ? 400 : status,
    headers,
    value: { code, details, hint: extensions['hint'] ?? null, message },
  }
}

const codes: Readonly<Record<number, string>> = {
  400: 'PGRST100',
  401: 'PGRST301',
  403: '42501',
  404: 'PGRST205',
  405: 'PGRST117',
  409: '23505',
  422: '23514',
}
