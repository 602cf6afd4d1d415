import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server under comparison. */
export interface Peer {
  url: string
  /** Replaces the whole state; only the reference needs it. */
  restore: (state: Record<string, unknown>) => void
  close: () => Promise<void>
}

/** Serves a listener on a free port of 127.0.0.1. */
export async function listen(listener: RequestListener): Promise<Omit<Peer, 'restore'>> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
