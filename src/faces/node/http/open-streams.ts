import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { headerOf, type HeaderList } from '../../../core/http/contract/messages.ts'

/** Ends a response of server-sent events when its client ends the connection; ignores any other response. */
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

/** Ends the streams of the server at an address, so that its shutdown does not wait for them. */
export function endOpenStreams({ address, port }: AddressInfo): void {
  const isAny = address === '::' || address === '0.0.0.0'
  for (const response of open) {
    const { localAddress, localPort } = response.socket ?? {}
    if (localPort === port && (isAny || localAddress === address)) response.end()
  }
}

const open = new Set<ServerResponse>()
