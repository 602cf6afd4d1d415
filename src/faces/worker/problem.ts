import type { MockError } from '../../core/errors/mock-error.ts'
import { phraseOf } from '../../core/errors/status.ts'

/**
 * Converts an error that a worker finds before a mock is involved to a response with problem details (RFC
 * 9457). Any page may read the response.
 */
export function toProblem({ status, message, code, headers }: MockError): Response {
  const title = phraseOf(status)
  const body = { type: 'about:blank', title, status, detail: message, message, code }
  return new Response(JSON.stringify(body), {
    status,
    headers: [
      ['Content-Type', 'application/problem+json; charset=utf-8'],
      ['Cache-Control', 'no-store'],
      ['Access-Control-Allow-Origin', '*'],
      ['Access-Control-Expose-Headers', '*'],
      ...headers,
    ],
  })
}
