import type { MockError } from '../../core/errors/mock-error.ts'
import { phraseOf } from '../../core/errors/status.ts'

/** Responds with problem details (RFC 9457) before a mock is involved; any page may read them. */
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
