import type { ServerResponse } from 'node:http'
import { headerOf, type HeaderList } from '../../../core/http/contract/messages.ts'

/** Answers that end only with their client: server-sent events. */
const open = new Set<ServerResponse>()

/** Remembers an answer whose header says that it has no end of its own. */
export function noteEndless(headers: HeaderList, response: ServerResponse): void {
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

/** Ends those of a port, so that nobody has to wait for them. */
export function endEndless(port: number): void {
  for (const response of open) if (response.socket?.localPort === port) response.end()
}
