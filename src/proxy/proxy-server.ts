import type { IncomingMessage } from 'node:http'
import { describeUnknownHost } from '../core/http/cors/access.ts'
import { guard, toSettings } from '../faces/node/guard.ts'
import { toAccess } from '../faces/node/http/access.ts'
import { createLoopMark } from '../core/proxy/loop.ts'
import { isLocalOrigin } from '../faces/web/origins.ts'
import { refuseConnection, refuseRequest } from '../faces/node/http/refuse.ts'
import { hostOf, splitTarget } from '../faces/node/http/request.ts'
import { hostsOf, listenOn } from '../faces/node/listen.ts'
import type { ProxiedExchange } from './exchange.ts'
import { createReverseProxy, type PassOn, type ReverseProxyOptions } from './reverse-proxy.ts'
import { createUpstream, toPairs } from './upstream.ts'
import { type Duplex, pipeline } from 'node:stream'
import { toGatewayError } from '../core/proxy/gateway-error.ts'
import { toUpstreamHeaders, toClientHeaders } from '../core/proxy/headers.ts'
import type { HeaderList } from '../core/http/contract/messages.ts'

/**
 * Serves the reverse proxy of `mock record`. It refuses unknown hosts and, if it sets headers, which may be
 * credentials, foreign pages.
 * @throws MockError when the proxy cannot listen on the host and port
 */
export async function serveProxy(options: ProxyServerOptions): Promise<ServingProxy> {
  const { host, port, headers, allowHost = [], timeout = 120_000 } = options
  const upstream = createUpstream(options.upstream, options.isInsecure)
  const { isKnownHost, originOf } = toAccess(host, { allowHost })
  const ownOf = (request: IncomingMessage): string => originOf(request, hostOf(request))
  const loop = createLoopMark()
  const passOn = createReverseProxy({ ...options, upstream, ownOf, timeout, loop })
  const tunnels = createTunnels({ upstream, ownOf, headers, loop })
  const refusal = (request: IncomingMessage): Refusal | undefined => {
    const name = hostOf(request)
    if (!isKnownHost(name)) {
      return { status: 403, message: `Failed to accept the request: ${describeUnknownHost(name)}.` }
    }
    const looped = loop.findLoop(String(request.headers['cdn-loop'] ?? ''), upstream.origin)
    if (looped) return looped
    // The headers that the proxy sets may be credentials, with which no foreign page may act.
    if (headers === undefined || Object.keys(headers).length === 0) return undefined
    const { origin, 'sec-fetch-site': site } = request.headers
    const isForeign = origin === undefined ? site === 'cross-site' : !isLocalOrigin(origin)
    if (!isForeign) return undefined
    const page = origin ?? 'another site'
    const message = `Failed to accept the request: a page of ${page} sent it, and --header is set.`
    return { status: 403, message }
  }
  const handle: PassOn = (request, response, onRead) => {
    const refused = refusal(request)
    if (refused === undefined) passOn(request, response, onRead)
    else refuseRequest(response, refused.status, refused.message)
  }
  const { bound, shutdowns } = await listenOn(hostsOf(host), port, () => {
    // A slow upload is the client's affair: the proxy passes bytes on as they come.
    const limits = { requestTimeout: 3_600_000, headersTimeout: 30_000 }
    const server = process.getBuiltinModule('node:http').createServer(toSettings(limits))
    guard(server, limits, handle)
    // Most clients that end their side have aborted, which has to abort the request behind the proxy.
    Object.assign(server, { httpAllowHalfOpen: false })
    return server.on('upgrade', (request, socket, head) => {
      const refused = refusal(request)
      if (refused === undefined) tunnels.open(request, socket, head)
      else refuseConnection(socket, refused.status, refused.message)
    })
  })
  const name = host.includes(':') ? `[${host}]` : host
  return {
    url: `http://${name}:${bound}`,
    port: bound,
    async close() {
      tunnels.close()
      await Promise.all(shutdowns.map((shutdown) => shutdown.close(graceMs)))
      upstream.close()
    },
  }
}

/** Why the proxy does not pass a request on. */
interface Refusal {
  status: number
  message: string
}

/** A running proxy. */
export interface ServingProxy {
  /** The origin of the proxy: `http://localhost:3000`. */
  url: string
  port: number
  /** Finishes the requests in progress and closes all connections. */
  close(): Promise<void>
}

/** The options of {@link serveProxy}. */
export interface ProxyServerOptions {
  /** The origin of the server behind the proxy. */
  upstream: string
  port: number
  host: string
  /** Whether to accept any certificate of the server behind the proxy. */
  isInsecure?: boolean | undefined
  allowHost?: string | readonly string[] | undefined
  /** Headers that are set on every request. */
  headers?: Readonly<Record<string, string>> | undefined
  codings?: readonly string[] | undefined
  /** The time limit for the beginning of a response, in milliseconds. @default 120000 */
  timeout?: number | undefined
  /** The largest body that is captured, in bytes. */
  limit: number
  onExchange(exchange: ProxiedExchange): void
}

/** How long `close` waits for requests in progress, in milliseconds. */
const graceMs = 2000

/** Creates the tunnels of a reverse proxy, through which upgraded connections pass, such as WebSockets. */
function createTunnels({
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
interface Tunnels {
  /** Passes an upgrade on (RFC 9110 §7.8), and then all bytes both ways. */
  open(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Ends all tunnels. */
  close(): void
}

function toHead({ statusCode, statusMessage }: IncomingMessage, headers: HeaderList): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${statusCode} ${statusMessage}\r\n${lines.join('')}\r\n`
}
