import type { MockError } from '../../core/errors/mock-error.ts'
import { problemType, toProblem } from '../../core/errors/problem.ts'
import type { MockRequest, MockResponse } from '../../core/http/contract/messages.ts'
import { toMockRequest, toResponse } from '../web/web.ts'
import { sessionNameHeader } from './calls.ts'

/**
 * Converts the `Request` that a Durable Object gets to the `MockRequest` that the client sent: without the
 * header that the worker has added.
 */
export function toAsked(request: Request): MockRequest {
  const mockRequest = toMockRequest(request)
  const { [sessionNameHeader]: _name, ...headers } = mockRequest.headers
  return { ...mockRequest, headers }
}

/**
 * Converts a `MockResponse` to a `Response`. A worker cannot drop a connection: a dropped connection becomes a response
 * whose body fails at once.
 */
export function toWebResponse(response: MockResponse, signal: AbortSignal): Response {
  if (response.status !== 0) return toResponse(response, signal)
  const broken = new ReadableStream({
    start(controller) {
      controller.error(new TypeError('The mock dropped the connection.'))
    },
  })
  return new Response(broken, { headers: { 'Content-Length': '1' } })
}

/**
 * Converts an error that a worker finds before a mock is involved to a response with problem details (RFC
 * 9457). Any page may read the response.
 */
export function toProblemResponse({ status, message, code, headers }: MockError): Response {
  return new Response(JSON.stringify(toProblem(status, message, { code })), {
    status,
    headers: [
      ['Content-Type', problemType],
      ['Cache-Control', 'no-store'],
      ['Access-Control-Allow-Origin', '*'],
      ['Access-Control-Expose-Headers', '*'],
      ...headers,
    ],
  })
}
