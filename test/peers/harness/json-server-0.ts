import { createRequire } from 'node:module'
import type { RequestListener } from 'node:http'

import { nextIdHeader, patchIds, withIds } from './ids.ts'
import { listen } from './server.ts'
import type { Peer } from './server.ts'

interface App extends RequestListener {
  use: (handler: unknown) => void
}

interface JsonServer {
  create: () => App
  defaults: (options: Record<string, unknown>) => unknown
  router: (data: unknown) => {
    db: { setState: (state: unknown) => void; _: { id: string } }
  }
}

/** Starts json-server 0.17.4 over a copy of the data, put together as its command line does. */
export async function startJsonServer0(data: Record<string, unknown>): Promise<Peer> {
  patchIds()
  const jsonServer = createRequire(import.meta.url)('json-server') as JsonServer
  const router = jsonServer.router(structuredClone(data))
  const app = jsonServer.create()
  app.use(jsonServer.defaults({ logger: false, bodyParser: true }))
  router.db._.id = 'id'
  app.use(router)
  const server = await listen((request, response) => {
    const ids = request.headers[nextIdHeader]
    withIds(typeof ids === 'string' ? [ids] : [], () => app(request, response))
  })
  return { ...server, restore: (state) => router.db.setState(structuredClone(state)) }
}
