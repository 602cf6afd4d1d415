import type { Server } from 'node:http'
import type { Socket } from 'node:net'
// Imported, because fake timers replace the globals and Jest's jsdom removes them.
import { clearInterval, clearTimeout, setImmediate, setInterval, setTimeout } from 'node:timers'
import { endOpenStreams } from './http/open-streams.ts'

/** Lets a server finish the requests in progress before it closes. Has to be called before it listens. */
export function createGracefulShutdown(server: Server): GracefulShutdown {
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

/** The result of {@link createGracefulShutdown}. */
export interface GracefulShutdown {
  /** Stops accepting connections; resolves when all are closed, by force after `grace` milliseconds. */
  close(grace: number): Promise<void>
}

/** The interval for closing idle connections, in milliseconds. */
const SWEEP_MS = 10

/** A key that a TLS socket and its underlying TCP socket share. */
function keyOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}
