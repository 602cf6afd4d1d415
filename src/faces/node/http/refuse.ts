import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { allMethods } from '../../../core/http/cors/cors.ts'
import { problemType, toProblem } from '../../../core/errors/problem.ts'
import { phraseOf } from '../../../core/errors/status.ts'

/** Responds to a request, such as a malformed one, without the mock, and ends its connection. */
export function refuseRequest(response: ServerResponse, status: number, detail: string): void {
  const { headers, body } = toRefusal(status, detail)
  response.writeHead(status, headers).end(body)
}

/** Responds to bytes that Node could not parse as a request, and ends the connection. */
export function refuseConnection(socket: Duplex, status: number, detail: string): void {
  const { headers, body } = toRefusal(status, detail)
  // Node adds `Date` (RFC 9110 §6.6.1) only to a `ServerResponse`.
  headers['Date'] = new Date().toUTCString()
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${phraseOf(status)}\r\n${lines.join('')}\r\n${body}`)
}

/**
 * Closes the connection of a response without the rest of the response. Bun sends 200 for a response without a header
 * that is destroyed later than in the turn of its request, so the socket is closed first.
 */
export function dropConnection(response: ServerResponse): void {
  response.socket?.destroy()
  response.destroy()
}

// Not imported, because `import` would load modules that the start does not need; see `serve.ts`.
const { METHODS } = process.getBuiltinModule('node:http')

/** The methods of all resources that this version of Node can parse. */
export const knownMethods: readonly string[] = allMethods.filter((method) =>
  METHODS.includes(method),
)

/** The problem document of a refusal, and its headers. */
function toRefusal(
  status: number,
  detail: string,
): { headers: Record<string, string>; body: string } {
  const body = JSON.stringify(toProblem(status, detail))
  return {
    headers: {
      'Cache-Control': 'no-store',
      Connection: 'close',
      'Content-Length': String(Buffer.byteLength(body)),
      'Content-Type': problemType,
      ...(status === 405 && { Allow: knownMethods.join(', ') }),
      ...(status === 429 && { 'Retry-After': '1' }),
    },
    body,
  }
}
