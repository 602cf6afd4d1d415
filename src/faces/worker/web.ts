import type { MockError } from '../../core/errors/mock-error.ts'
import { problemType, toProblem } from '../../core/errors/problem.ts'
import type { MockRequest, MockResponse } from '../../core/http/contract/messages.ts'
import { toMockRequest, toResponse } from '../web/web.ts'
import { connectSocket, type WebSocketEnd } from '../web/sockets.ts'
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

/** Opens the socket of a response, and calls `onMessage` after each message of the client. */
export function toSocketResponse(response: MockResponse, onMessage: () => void): Response {
  const { 0: client, 1: server } = new (globalThis as unknown as Cloudflare).WebSocketPair()
  server.accept()
  connectSocket(server, response)
  server.addEventListener('message', onMessage)
  // The runtime leaves the socket half open until the worker closes it too.
  server.addEventListener('close', () => server.close(1000, ''))
  const init = { status: 101, headers: response.headers, webSocket: client }
  return new Response(null, init)
}

/** The globals that the runtime of Cloudflare alone has. */
interface Cloudflare {
  WebSocketPair: new () => { 0: WebSocketEnd; 1: WebSocketEnd & { accept(): void } }
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
