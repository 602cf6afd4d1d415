import type { Server } from 'node:http'
import type { Socket } from 'node:net'
// The globals may be a test's, or missing, as in Jest's jsdom.
import { clearInterval, clearTimeout, setImmediate, setInterval, setTimeout } from 'node:timers'

/** Ends a server without breaking off what is being answered. */
export interface Drain {
  /** Stops accepting; resolves when every connection is closed, after `grace` milliseconds by force. */
  close(grace: number): Promise<void>
}

/** Follows the connections of a server, from before it listens. */
export function createDrain(server: Server): Drain {
  // Node counts a connection that has not sent anything yet, as browsers open in advance, as busy.
  const unused = new Map<string, Socket>()
  // Whoever has ended its half has most likely gone, and is not worth waiting for.
  const gone = new Set<Socket>()
  let isClosing = false
  server.on('connection', (socket: Socket) => {
    const key = keyOf(socket)
    unused.set(key, socket)
    socket.once('end', () => (isClosing ? socket.destroy() : gone.add(socket)))
    socket.once('close', () => {
      unused.delete(key)
      gone.delete(socket)
    })
  })
  server.on('request', ({ socket }) => {
    if (unused.size > 0) unused.delete(keyOf(socket))
  })
  return {
    close: (grace) =>
      new Promise((resolve) => {
        const sweep = setInterval(() => server.closeIdleConnections(), SWEEP)
        const force = setTimeout(() => server.closeAllConnections(), grace)
        server.close(() => {
          clearInterval(sweep)
          clearTimeout(force)
          resolve()
        })
        // What has arrived already is read before.
        setImmediate(() => {
          isClosing = true
          for (const socket of [...unused.values(), ...gone]) socket.destroy()
        })
        server.prependListener('request', (_, response) => {
          response.setHeader('Connection', 'close')
        })
      }),
  }
}

/** How often connections whose answer has ended are looked for, in milliseconds. */
const SWEEP = 10

/** The same for a TLS socket and for the socket below it. */
function keyOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}
