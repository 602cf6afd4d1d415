import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout } from 'node:timers'
import { headerOf, isHandshake, type MockResponse } from '../../../core/http/contract/messages.ts'
import { maxMessage } from '../../../core/http/response/sockets.ts'
import { trackOpen } from './open-streams.ts'

/**
 * Emits the handshakes that a server receives as requests, whose response can open a socket. Node no longer parses a
 * connection that asks for any upgrade once a server listens to `upgrade`, so that others are parsed anew.
 */
export function acceptUpgrades(server: Server): void {
  // Not imported, because `import` would load modules that the start does not need; see `serve.ts`.
  const { ServerResponse } = process.getBuiltinModule('node:http')
  server.on('upgrade', (request, socket, head) => {
    if (head.length > 0) socket.unshift(head)
    const { method = '', headers } = request
    // Bun parses the connection on.
    if (!isHandshake({ method, headers: { upgrade: headers.upgrade } }) && !isBun) {
      return parseAnew(server, request, socket)
    }
    socket.on('error', () => socket.destroy())
    const response = new ServerResponse(request)
    response.shouldKeepAlive = false
    response.once('finish', () => socket.end())
    response.assignSocket(request.socket)
    server.emit('request', request, response)
  })
}

/** Answers a request for another protocol, such as `h2c`, as if it had not asked for the protocol (RFC 9110 §7.8). */
function parseAnew(server: Server, request: IncomingMessage, socket: Duplex): void {
  const { method = '', url = '', rawHeaders } = request
  const lines = rawHeaders.flatMap((name, at) => {
    const isLine = at % 2 === 0 && !/^(?:upgrade|http2-settings)$/i.test(name)
    return isLine ? `${name}: ${rawHeaders[at + 1]}\r\n` : []
  })
  const head = `${method} ${url} HTTP/1.1\r\n${lines.join('')}\r\n`
  socket.unshift(Buffer.from(head, 'latin1'))
  server.emit('encrypted' in socket ? 'secureConnection' : 'connection', socket)
}

/** Completes the handshake of a response with status 101, and connects its socket to the client. */
export async function openSocket(
  request: IncomingMessage,
  response: ServerResponse,
  { headers, socket: open }: MockResponse,
): Promise<void> {
  const { WebSocketServer } = await import('ws')
  const { socket } = request
  if (socket.destroyed || !open) return
  response.detachSocket(socket)
  // The response is over for all that waits for it; the server closes the socket itself.
  response.destroyed = true
  response.emit('close')
  const handshakes = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: maxMessage,
    handleProtocols: () => headerOf(headers, 'Sec-WebSocket-Protocol') ?? false,
  })
  handshakes.on('headers', (lines) => {
    for (const [name, value] of headers) {
      if (/^set-cookie$/i.test(name)) lines.push(`${name}: ${value}`)
    }
  })
  handshakes.handleUpgrade(request, socket, Buffer.alloc(0), (client) => {
    const close = (code: number, reason: string): void => {
      client.close(code, reason)
      // A client that does not read never confirms the close.
      setTimeout(() => client.terminate(), CLOSE_WAIT_MS).unref()
    }
    // An error is followed by `close`.
    client.on('error', () => undefined)
    const listener = open({
      send: (message) => client.send(message),
      close,
      ping: () => client.ping(),
      waiting: () => client.bufferedAmount,
    })
    client.on('message', (data: Buffer, isBinary) =>
      listener.message(isBinary ? data : data.toString()),
    )
    const forget = trackOpen(socket, () => close(1001, 'The server stops.'))
    client.on('close', (code, reason) => {
      forget()
      listener.close(code, reason.toString())
    })
  })
}

const isBun = 'bun' in process.versions

/** The time that a client has to confirm a close, in milliseconds. */
const CLOSE_WAIT_MS = 1000
