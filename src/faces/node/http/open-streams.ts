import type { ServerResponse } from 'node:http'
import { headerOf, type HeaderList } from '../../../core/http/contract/messages.ts'

/** Responses without an end of their own: server-sent events. */
const open = new Set<ServerResponse>()

/** Tracks a response of server-sent events, and ends it when its client ends the connection. */
export function trackOpenStream(headers: HeaderList, response: ServerResponse): void {
  if (!headerOf(headers, 'content-type')?.startsWith('text/event-stream')) return
  const { socket } = response.req
  const end = (): void => void response.end()
  open.add(response)
  socket.once('end', end)
  response.once('close', () => {
    open.delete(response)
    socket.off('end', end)
  })
  if (socket.readableEnded) end()
}

/** Ends the streams of a server by its port, so that its shutdown does not wait for them. */
export function endOpenStreams(port: number): void {
  for (const response of open) if (response.socket?.localPort === port) response.end()
}
