import type { IncomingMessage } from 'node:http'
import { type Duplex, pipeline } from 'node:stream'
import { toGatewayError } from '../core/proxy/gateway-error.ts'
import { toUpstreamHeaders, toClientHeaders } from '../core/proxy/headers.ts'
import type { HeaderList } from '../core/http/contract/messages.ts'
import { refuseConnection } from '../faces/node/http/refuse.ts'
import { splitTarget } from '../faces/node/http/request.ts'
import { toPairs } from './upstream.ts'
import type { ReverseProxyOptions } from './reverse-proxy.ts'

/** Creates the tunnels of a reverse proxy, through which upgraded connections pass, such as WebSockets. */
export function createTunnels({
  upstream,
  ownOf,
  headers: given,
  loop,
}: Pick<ReverseProxyOptions, 'upstream' | 'ownOf' | 'headers' | 'loop'>): Tunnels {
  const open = new Set<Duplex>()
  return {
    open(request, socket, head) {
      const { method = 'GET', url = '/', headers, rawHeaders } = request
      const ends = { own: ownOf(request), upstream: upstream.origin }
      const { path, search } = splitTarget(url)
      const added = { ...loop?.toHeader(toPairs(rawHeaders)), ...given }
      open.add(socket)
      socket.once('close', () => open.delete(socket))
      const sent = upstream.request({
        method,
        path: path + search,
        isAlone: true,
        headers: [
          ...toUpstreamHeaders(toPairs(rawHeaders), { ...ends, added }),
          ['Connection', 'Upgrade'],
          ['Upgrade', headers.upgrade ?? ''],
        ],
      })
      socket.on('error', () => sent.destroy())
      socket.once('close', () => sent.destroy())
      sent.on('error', (error) => {
        if (socket.writable)
          refuseConnection(socket, 502, toGatewayError(upstream.origin, error).message)
      })
      sent.once('upgrade', (incoming, other, first) => {
        const lines = toClientHeaders(toPairs(incoming.rawHeaders), ends)
        const upgrade = incoming.headers.upgrade ?? ''
        socket.write(toHead(incoming, [...lines, ['Connection', 'Upgrade'], ['Upgrade', upgrade]]))
        if (first.length > 0) socket.write(first)
        if (head.length > 0) other.write(head)
        socket.pipe(other).pipe(socket)
        socket.once('close', () => other.destroy())
        other.once('close', () => socket.destroy()).on('error', () => socket.destroy())
      })
      // The server refuses the upgrade, or ignores it (RFC 9110 §7.8).
      sent.once('response', (incoming) => {
        const lines = toClientHeaders(toPairs(incoming.rawHeaders), ends)
        socket.write(toHead(incoming, [...lines, ['Connection', 'close']]))
        pipeline(incoming, socket, () => socket.destroy())
      })
      sent.end()
    },
    close() {
      for (const socket of open) socket.destroy()
    },
  }
}

/** The upgraded connections that pass through a reverse proxy. */
export interface Tunnels {
  /** Passes an upgrade on (RFC 9110 §7.8), and then all bytes both ways. */
  open(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Ends all tunnels. */
  close(): void
}

/** Writes the status line and the header lines of a response. */
function toHead({ statusCode, statusMessage }: IncomingMessage, headers: HeaderList): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${statusCode} ${statusMessage}\r\n${lines.join('')}\r\n`
}
