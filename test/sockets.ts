import type { IncomingMessage } from 'node:http'

import { setupServer } from 'msw/node'
import { WebSocket } from 'ws'

import type { AnyMock } from '../src/core/http/contract/any-mock.ts'
import { handlers } from '../src/msw.ts'
import { serve } from '../src/node.ts'

/** A client of a socket, for tests. */
export interface TestSocket {
  protocol: string
  /** Sends a text as it is, and anything else as JSON. */
  send(message: unknown): void
  /** The next message: parsed if it is JSON. Rejects when the socket closes before. */
  next(): Promise<unknown>
  /** The next messages up to one that the function accepts. */
  until(isLast: (message: never) => boolean): Promise<unknown[]>
  close(code?: number, reason?: string): void
  /** Stops and starts reading, of a client over HTTP. */
  pause(): void
  resume(): void
  closed: Promise<[code: number, reason: string]>
}

/** Options of a handshake; a page has no headers, and neither has MSW. */
export interface Handshake {
  protocols?: string[]
  headers?: Record<string, string>
}

/** Opens sockets at a mock. */
export interface SocketFace {
  url: string
  /** Rejects with `refused <status>` where a client learns the status, else with `refused`. */
  open(path: string, handshake?: Handshake): Promise<TestSocket>
  close(): Promise<void>
}

/** The faces with sockets that run in this process, by name. */
export const socketFaces: Record<string, (mock: AnyMock) => Promise<SocketFace>> = {
  async http(mock) {
    const { port, close } = await serve(mock, { port: 0, host: '127.0.0.1' })
    const url = `http://127.0.0.1:${port}`
    return {
      url,
      open: (path, { protocols = [], headers = {} } = {}) =>
        toTestSocket(new WebSocket(url.replace('http', 'ws') + path, protocols, { headers })),
      close,
    }
  },
  async msw(mock) {
    // Node 20 has no WebSocket, which MSW replaces.
    const own = globalThis.WebSocket
    globalThis.WebSocket = WebSocket as unknown as typeof own
    // MSW 2 delivers a socket twice if an earlier server has started without a WebSocket to replace.
    const first = setupServer()
    first.listen()
    first.close()
    const server = setupServer(...handlers(mock))
    server.listen({ onUnhandledRequest: 'error' })
    const url = 'http://mock.test'
    return {
      url,
      open: (path, { protocols = [] } = {}) =>
        toTestSocket(new globalThis.WebSocket(`ws://mock.test${path}`, protocols)),
      async close() {
        server.close()
        globalThis.WebSocket = own
      },
    }
  },
}

/** Wraps a socket of the WebSocket API or of `ws`, and waits until it is open. */
export async function toTestSocket(socket: globalThis.WebSocket | WebSocket): Promise<TestSocket> {
  const received: string[] = []
  let wake = (): void => undefined
  let isClosed = false
  const listen = socket.addEventListener.bind(socket) as (
    type: string,
    listener: (event: { data: string; code: number; reason: string }) => void,
  ) => void
  listen('message', ({ data }) => {
    received.push(data)
    wake()
  })
  const closed = new Promise<[number, string]>((resolve) => {
    listen('close', ({ code, reason }) => {
      isClosed = true
      wake()
      resolve([code, reason])
    })
  })
  await new Promise<void>((resolve, reject) => {
    let status = ''
    if ('on' in socket) {
      socket.on('unexpected-response', (_: unknown, response: IncomingMessage) => {
        status = ` ${response.statusCode}`
        socket.terminate()
      })
    }
    listen('error', () => undefined)
    listen('open', () => resolve())
    listen('close', () => reject(new Error(`refused${status}`)))
  })
  async function next(): Promise<unknown> {
    while (received.length === 0) {
      if (isClosed) throw new Error(`The socket is closed: ${(await closed).join(' ')}`)
      await new Promise<void>((resolve) => (wake = resolve))
    }
    const text = received.shift() ?? ''
    return text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text
  }
  return {
    protocol: socket.protocol,
    send: (message) =>
      socket.send(
        typeof message === 'string' || message instanceof Uint8Array
          ? (message as Uint8Array<ArrayBuffer>)
          : JSON.stringify(message),
      ),
    next,
    async until(isLast) {
      const messages: unknown[] = []
      do messages.push(await next())
      while (!isLast(messages.at(-1) as never))
      return messages
    },
    close: (code, reason) => socket.close(code, reason),
    pause: () => 'pause' in socket && socket.pause(),
    resume: () => 'resume' in socket && socket.resume(),
    closed,
  }
}
