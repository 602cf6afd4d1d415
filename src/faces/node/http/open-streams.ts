import type { ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { headerOf, type HeaderList } from '../../../core/http/contract/messages.ts'

/** Ends a response of server-sent events when its client ends the connection; ignores any other response. */
export function trackOpenStream(headers: HeaderList, response: ServerResponse): void {
  if (!headerOf(headers, 'content-type')?.startsWith('text/event-stream')) return
  const { socket } = response.req
  const end = (): void => void response.end()
  const forget = trackOpen(socket, end)
  socket.once('end', end)
  response.once('close', () => {
    forget()
    socket.off('end', end)
  })
  if (socket.readableEnded) end()
}

/** Notes how to end what is open on a connection, until the returned function is called. */
export function trackOpen({ localAddress, localPort }: Socket, end: () => void): () => void {
  const entry = { localAddress, localPort, end }
  open.add(entry)
  return () => void open.delete(entry)
}

/** Ends the streams and sockets of the server at an address, so that its shutdown does not wait for them. */
export function endOpenStreams({ address, port }: AddressInfo): void {
  const isAny = address === '::' || address === '0.0.0.0'
  for (const { localAddress, localPort, end } of open) {
    if (localPort === port && (isAny || localAddress === address)) end()
  }
}

const open = new Set<{
  localAddress: string | undefined
  localPort: number | undefined
  end: () => void
}>()
