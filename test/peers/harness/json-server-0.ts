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
  rewriter: (rules: Record<string, string>) => unknown
  router: (
    data: unknown,
    options: { foreignKeySuffix?: string },
  ) => {
    db: { setState: (state: unknown) => void; _: { id: string } }
  }
}

/** The flags of the command line of json-server 0.17. */
export interface Flags0 {
  routes?: Record<string, string>
  foreignKeySuffix?: string
  id?: string
  readOnly?: boolean
}

/** Starts json-server 0.17.4 over a copy of the data, put together as its command line does. */
export async function startJsonServer0(
  data: Record<string, unknown>,
  { routes, foreignKeySuffix, id = 'id', readOnly = false }: Flags0 = {},
): Promise<Peer> {
  patchIds()
  const jsonServer = createRequire(import.meta.url)('json-server') as JsonServer
  const router = jsonServer.router(structuredClone(data), {
    ...(foreignKeySuffix !== undefined && { foreignKeySuffix }),
  })
  const app = jsonServer.create()
  app.use(jsonServer.defaults({ logger: false, bodyParser: true, readOnly }))
  if (routes) app.use(jsonServer.rewriter(routes))
  router.db._.id = id
  app.use(router)
  const server = await listen((request, response) => {
    const ids = request.headers[nextIdHeader]
    withIds(typeof ids === 'string' ? [ids] : [], () => app(request, response))
  })
  return { ...server, restore: (state) => router.db.setState(structuredClone(state)) }
}
