import { MockError } from '../../errors/mock-error.ts'
import type { Json } from '../../json/json.ts'
import type { Log } from '../../log/log.ts'
import type { Clock } from '../../time/clock.ts'
import type { Exchange, StreamBinding } from '../contract/exchange.ts'
import {
  isHandshake,
  type MockResponse,
  type OpenSocket,
  type SocketClient,
  type SocketListener,
  type SocketMessage,
} from '../contract/messages.ts'
import { invalidBody, readJson } from '../resource/body.ts'

/**
 * Accepts the WebSocket handshake of a request (RFC 6455 §4.2.2), for a hook of a behaviour; `open` is called when
 * the face has connected the client. Of `protocols`, the first that the client offers becomes the subprotocol. The
 * route of the behaviour needs `sockets: true`, by which faces know the paths of sockets.
 * @throws MockError 426 for a request without a handshake, and on a face without sockets
 * @example
 * acceptSocket(exchange, (socket) => ({ message: (text) => socket.send(text), close: () => {} }), ['echo'])
 */
export function acceptSocket(
  exchange: Exchange,
  open: (socket: Socket, protocol: string | undefined) => SocketListener,
  protocols: readonly string[] = [],
): MockResponse {
  const { request, access, headers } = exchange
  if (!isHandshake(request) || !access.hasSockets) {
    throw new MockError(
      `Failed to open a socket: ${access.hasSockets ? 'the request is no WebSocket handshake' : 'mock.fetch has none'}. Please connect by new WebSocket to a server, to MSW or to a worker.`,
      { status: 426, code: 'UPGRADE_REQUIRED', headers: [['Upgrade', 'websocket']] },
    )
  }
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim())
  const protocol = protocols.find((name) => offered.includes(name))
  exchange.reasons.push('opens a socket')
  return {
    status: 101,
    headers: protocol === undefined ? [] : [['Sec-WebSocket-Protocol', protocol]],
    body: null,
    socket: (client) => open(client, protocol),
  }
}

/** A connected client. Nothing is sent once the socket is closed; a client that does not read is disconnected. */
export type Socket = SocketClient

/** Parses a message that has to be JSON. @throws MockError 400, also for a deeply nested message */
export function readMessage(message: SocketMessage, { service }: Exchange): Json {
  if (typeof message === 'string') return readJson(message, service.limits)
  throw invalidBody('it is binary', 'Please send JSON as text.')
}

/**
 * Wraps what a behaviour does with a socket: limits the size of messages (close code 1009) and of what waits for the
 * client (1013), turns an unexpected error into 1011, closes the socket with its session or login (1001), and logs
 * the close.
 */
export function guardSocket(
  exchange: Exchange,
  open: OpenSocket,
  { clock, log, onEnd, onFailure }: SocketOptions,
): OpenSocket {
  return (client) => {
    const opened = clock.now()
    const counts = { received: 0, sent: 0 }
    const endings: (() => void)[] = []
    let listener: SocketListener | undefined
    let isOpen = true

    function finish(code: number, reason: string): void {
      if (!isOpen) return
      isOpen = false
      for (const ending of endings) ending()
      const { request } = exchange
      log.insert({
        time: clock.now(),
        method: request.method,
        url: request.path + request.search,
        headers: request.headers,
        origin: request.origin,
        status: 101,
        ms: clock.now() - opened,
        reason:
          `closed the socket: ${code} ${reason}`.trimEnd() +
          `; messages: ${counts.received} received, ${counts.sent} sent`,
      })
      run(() => listener?.close(code, reason))
    }
    function close(code: number, reason: string): void {
      if (isOpen) client.close(code, reason)
      finish(code, reason)
    }
    function run(task: () => void): void {
      try {
        task()
      } catch (error) {
        onFailure(error, `serve the socket "${exchange.path}"`)
        close(1011, 'The mock failed.')
      }
    }

    const socket: SocketClient = {
      ...client,
      send(message) {
        if (!isOpen) return
        if ((client.waiting?.() ?? 0) > mostWaiting) {
          return close(1013, 'The client does not read what it is sent.')
        }
        counts.sent++
        client.send(message)
      },
      close,
    }
    run(() => (listener = open(socket)))
    const end = (): void => close(1001, 'The session or login of the socket has ended.')
    for (const bind of [onEnd, ...(exchange.streamEnders ?? [])]) endings.push(bind(end))
    return {
      message(message) {
        if (!isOpen) return
        if (message.length > maxMessage) return close(1009, 'A message has at most 1 MiB.')
        counts.received++
        run(() => listener?.message(message))
      },
      close: finish,
    }
  }
}

/** The clock and the log, the end of the mock or fork, and a callback for unexpected errors. */
interface SocketOptions {
  clock: Clock
  log: Pick<Log, 'insert'>
  onEnd: StreamBinding
  onFailure(error: unknown, doing: string): void
}

/** The largest message that a client may send, in bytes, or in characters of a text. */
export const maxMessage: number = 1024 * 1024

/** The most bytes that wait for a client; a client that falls further behind is disconnected. */
const mostWaiting = 1024 * 1024
