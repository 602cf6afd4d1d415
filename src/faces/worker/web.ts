import type { MockRequest, MockResponse } from '../../core/http/contract/messages.ts'
import { toMockRequest, toResponse } from '../web/web.ts'
import { nameHeader } from './calls.ts'

/** Makes the plain request of a mock, without the header that the worker has added. */
export function toAsked(request: Request): MockRequest {
  const asked = toMockRequest(request)
  const { [nameHeader]: _name, ...headers } = asked.headers
  return { ...asked, headers }
}

/**
 * Makes the response of an object. A worker cannot drop a connection, so that a dropped connection is a response
 * whose body breaks off at once.
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
