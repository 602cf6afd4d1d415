import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { allMethods } from '../../../core/http/cors/preflight.ts'
import { phraseOf } from '../../../core/errors/status.ts'

// Not imported, for the reason that `serve` has.
const { METHODS } = process.getBuiltinModule('node:http')

/** The methods that anything has, as far as this Node reads them. */
export const knownMethods: readonly string[] = allMethods.filter((one) => METHODS.includes(one))

/** Answers what never became a request, and ends the connection. */
export function refuseConnection(socket: Duplex, status: number, detail: string): void {
  const { headers, body } = toProblem(status, detail)
  // Nobody else says when it was answered (RFC 9110 §6.6.1).
  headers['Date'] = new Date().toUTCString()
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${phraseOf(status)}\r\n${lines.join('')}\r\n${body}`)
}

/** Answers a request that does not get to the mock, and ends its connection. */
export function refuseRequest(response: ServerResponse, status: number, detail: string): void {
  const { headers, body } = toProblem(status, detail)
  response.writeHead(status, headers).end(body)
}

/** A problem document (RFC 9457) as the mock itself writes them. */
function toProblem(
  status: number,
  detail: string,
): { headers: Record<string, string>; body: string } {
  const title = phraseOf(status)
  const body = JSON.stringify({ type: 'about:blank', title, status, detail, message: detail })
  return {
    headers: {
      'Cache-Control': 'no-store',
      Connection: 'close',
      'Content-Length': String(Buffer.byteLength(body)),
      'Content-Type': 'application/problem+json; charset=utf-8',
      ...(status === 405 && { Allow: knownMethods.join(', ') }),
      ...(status === 429 && { 'Retry-After': '1' }),
    },
    body,
  }
}
