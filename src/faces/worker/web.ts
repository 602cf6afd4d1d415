import type { MockError } from '../../core/errors/mock-error.ts'
import { problemType, toProblem } from '../../core/errors/problem.ts'
import type { MockRequest, MockResponse } from '../../core/http/contract/messages.ts'
import { toMockRequest, toResponse } from '../web/web.ts'
import { sessionNameHeader } from './calls.ts'

/** The `MockRequest` that the client sent: without the header that the worker has added. */
export function toAsked(request: Request): MockRequest {
  const mockRequest = toMockRequest(request)
  const { [sessionNameHeader]: _name, ...headers } = mockRequest.headers
  return { ...mockRequest, headers }
}

/** Converts a response. A worker cannot drop a connection, so its body fails at once instead. */
export function toWebResponse(response: MockResponse, signal: AbortSignal): Response {
  if (response.status !== 0) return toResponse(response, signal)
  const broken = new ReadableStream({
    start(controller) {
      controller.error(new TypeError('The mock dropped the connection.'))
    },
  })
  return new Response(broken, { headers: { 'Content-Length': '1' } })
}

/** The problem details (RFC 9457) of an error before a mock is involved; any page may read them. */
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
