import {
  andThen,
  type MaybePromise,
  type MockResponse,
  type SocketListener,
  type SocketMessage,
} from '../../core/http/contract/messages.ts'

/**
 * Connects a socket of the WebSocket API to the socket of a response, and keeps messages that arrive before. A
 * response without a socket closes it with 1006: a page does not learn why a handshake fails (WebSockets §2.2).
 */
export function connectSocket(client: WebSocketEnd, answered: MaybePromise<MockResponse>): void {
  let listener: SocketListener | undefined
  let isClosed = false
  const early: SocketMessage[] = []
  const receive = (message: SocketMessage): void => {
    if (listener) listener.message(message)
    else if (early.length < MAX_EARLY) early.push(message)
  }
  client.addEventListener('message', ({ data }) => {
    if (typeof data === 'string') receive(data)
    else if (ArrayBuffer.isView(data)) {
      receive(new Uint8Array(data.buffer, data.byteOffset, data.byteLength))
    } else if (data instanceof ArrayBuffer) receive(new Uint8Array(data))
    else if (data instanceof Blob) {
      void data.arrayBuffer().then((bytes) => receive(new Uint8Array(bytes)))
    }
  })
  client.addEventListener('close', ({ code, reason }) => {
    isClosed = true
    listener?.close(code, reason)
  })
  void andThen(answered, ({ socket }) => {
    if (isClosed) return
    if (!socket) return client.close(1006, '')
    listener = socket({
      send: (message) =>
        client.send(typeof message === 'string' ? message : new Uint8Array(message).buffer),
      close: (code, reason) => client.close(code, reason),
    })
    for (const message of early.splice(0)) listener.message(message)
  })
}

/** The server's end of a socket, in MSW and in a worker. */
export interface WebSocketEnd {
  send(message: string | ArrayBuffer): void
  close(code: number, reason: string): void
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void
  addEventListener(type: 'close', listener: (event: { code: number; reason: string }) => void): void
}

/** The most messages that are kept until the mock has answered the handshake. */
const MAX_EARLY = 100
