import type { Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { codeOf } from '../../core/errors/error-details.ts'
import { MockError } from '../../core/errors/mock-error.ts'
import { ownValue } from '../../core/json/json.ts'
import { clearInterval, clearTimeout, setImmediate, setInterval, setTimeout } from 'node:timers'
import { endOpenStreams } from './http/open-streams.ts'

/** Listens on one port of all hosts, with a server for each. @throws MockError when one cannot be listened on */
export async function listenOn(
  hosts: readonly string[],
  port: number,
  create: () => Server,
  attempts = 10,
): Promise<Listening> {
  const shutdowns: GracefulShutdown[] = []
  let bound = port
  for (const [index, host] of hosts.entries()) {
    const server = create()
    const shutdown = createGracefulShutdown(server)
    try {
      bound = await listen(server, bound, host)
      shutdowns.push(shutdown)
    } catch (error) {
      // A machine without IPv6 serves on 127.0.0.1 alone.
      if (index > 0 && ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(codeOf(error))) continue
      await Promise.all(shutdowns.map((shutdown) => shutdown.close(0)))
      // A port that is free on the first address may be in use on the second.
      const canRetry = port === 0 && codeOf(error) === 'EADDRINUSE' && attempts > 1
      if (canRetry) return listenOn(hosts, port, create, attempts - 1)
      throw toMockError(error, bound, hosts.length > 1 ? 'localhost' : host)
    }
  }
  return { bound, shutdowns }
}

/** Returns the addresses of a host: `localhost` has one of IPv4 and one of IPv6. */
export function hostsOf(host: string): string[] {
  return host === 'localhost' ? ['127.0.0.1', '::1'] : [host]
}

/** The servers that listen on one port of several hosts. */
export interface Listening {
  /** The port that the servers listen on. */
  bound: number
  shutdowns: GracefulShutdown[]
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host }, () => {
      server.removeListener('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })
}

/** The reasons why a server cannot listen, with advice, by error code. */
const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use. Please stop the other program or choose another port.',
  EACCES: 'permission denied. Please choose a port above 1023.',
  EADDRNOTAVAIL: 'this machine has no such address. Please choose another host.',
  ENOTFOUND: 'the host name is unknown. Please choose another host.',
}

function toMockError(cause: unknown, port: number, host: string): MockError {
  const code = codeOf(cause)
  const reason = ownValue(reasons, code)
  return new MockError(`Failed to listen on "${host}:${port}": ${reason ?? String(cause)}`, {
    code: reason === undefined ? 'LISTEN_FAILED' : code,
    cause,
  })
}

/** Lets a server finish the requests in progress before it closes. Has to be called before it listens. */
function createGracefulShutdown(server: Server): GracefulShutdown {
  // Browsers open connections in advance. Node counts these as active until their first request.
  const unused = new Map<string, Socket>()
  // A client that ended its side has most likely gone, so the shutdown does not wait for it.
  const halfClosed = new Set<Socket>()
  let isClosing = false
  server.on('connection', (socket: Socket) => {
    const key = keyOf(socket)
    unused.set(key, socket)
    socket.once('end', () => (isClosing ? socket.destroy() : halfClosed.add(socket)))
    socket.once('close', () => {
      unused.delete(key)
      halfClosed.delete(socket)
    })
  })
  server.on('request', ({ socket }) => {
    if (unused.size > 0) unused.delete(keyOf(socket))
  })
  return {
    close: (grace) =>
      new Promise((resolve) => {
        const address = server.address()
        const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS)
        const force = setTimeout(() => server.closeAllConnections(), grace)
        server.close(() => {
          clearInterval(sweep)
          clearTimeout(force)
          resolve()
        })
        // Requests that have already arrived are read first.
        setImmediate(() => {
          isClosing = true
          for (const socket of [...unused.values(), ...halfClosed]) socket.destroy()
        })
        server.prependListener('request', (_, response) => {
          response.setHeader('Connection', 'close')
        })
        if (typeof address === 'object' && address) endOpenStreams(address)
      }),
  }
}

interface GracefulShutdown {
  /** Stops accepting connections; resolves when all are closed, by force after `grace` milliseconds. */
  close(grace: number): Promise<void>
}

/** The interval for closing idle connections, in milliseconds. */
const SWEEP_MS = 10

/** A key that a TLS socket and its underlying TCP socket share. */
function keyOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}
