import type { RequestListener } from 'node:http'

import { nextIdHeader, patchIds, withIds } from './ids.ts'
import { importJsonServer1 } from './json-server-1.ts'
import { listen, type Peer } from './server.ts'

interface Low {
  data: Record<string, unknown>
  write: () => Promise<void>
}

/** Starts json-server 1.0.0-beta.3 over a copy of the data; records without an id take the ids in order. */
export async function startJsonServer1Beta(
  data: Record<string, unknown>,
  ids: readonly string[] = [],
): Promise<Peer> {
  patchIds()
  const { createApp } = await importJsonServer1<{
    createApp: (db: Low, options: object) => { attach: RequestListener }
  }>('lib/app.js', 'json-server-v1-beta')
  const { $schema: _schema, ...resources } = data
  const db: Low = { data: structuredClone(resources), write: async () => {} }
  const app = withIds(ids, () => createApp(db, { logger: false, static: [] }))
  const server = await listen((request, response) => {
    const next = request.headers[nextIdHeader]
    withIds(typeof next === 'string' ? [next] : [], () => app.attach(request, response))
  })
  return {
    ...server,
    restore: (state) => {
      db.data = structuredClone(state)
    },
  }
}
