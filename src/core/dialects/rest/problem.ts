import type { MockError } from '../../errors/mock-error.ts'
import { phraseOf } from '../../errors/status.ts'
import type { Answer } from '../contract/dialect.ts'

/**
 * Renders an error as problem details (RFC 9457). Adds two members that the RFC does not define, `message` and
 * `errors`, because react-admin and refine show these in forms.
 */
export function renderError(error: MockError): Answer {
  const { status, message, errors, headers, extensions } = error
  return {
    status,
    headers,
    type: 'application/problem+json; charset=utf-8',
    value: {
      type: 'about:blank',
      title: phraseOf(status),
      status,
      detail: message,
      message,
      ...(errors && { errors }),
      ...extensions,
    },
  }
}
