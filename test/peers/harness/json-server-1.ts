import type { RequestListener } from 'node:http'
import { createRequire } from 'node:module'
import { existsSync as isThere } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

import { nextIdHeader, patchIds, withIds } from './ids.ts'
import { listen } from './server.ts'
import type { Peer } from './server.ts'

interface Low {
  data: Record<string, unknown>
  read: () => Promise<void>
}

/**
 * Starts json-server 1.0.0-beta.15 over a copy of the data, put together as its command line does.
 * The ids are taken, in order, by the records that have none.
 */
export async function startJsonServer1(
  data: Record<string, unknown>,
  ids: readonly string[] = [],
): Promise<Peer> {
  patchIds()
  const { createApp } = await importJsonServer1<{
    createApp: (db: Low, options: object) => { attach: RequestListener }
  }>('lib/app.js')
  const { NormalizedAdapter } = await importJsonServer1<{
    NormalizedAdapter: new (adapter: object) => object
  }>('lib/adapters/normalized-adapter.js')
  const { Low } = await importJsonServer1<{ Low: new (adapter: object, initial: object) => Low }>(
    'node_modules/lowdb/lib/index.js',
  )
  const adapter = { read: async () => structuredClone(data), write: async () => {} }
  const db = new Low(new NormalizedAdapter(adapter), {})
  await withIds(ids, () => db.read())
  const app = createApp(db, { logger: false, static: [] })
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

/** Imports a file of json-server 1, which exports none. */
export async function importJsonServer1<T>(file: string, name = 'json-server-v1'): Promise<T> {
  const require = createRequire(import.meta.url)
  const folder = (require.resolve.paths(name) ?? [])
    .map((root) => path.join(root, name))
    .find((candidate) => isThere(path.join(candidate, 'package.json')))
  if (folder === undefined) throw new Error('Failed to find json-server 1. Please run npm install.')
  return (await import(pathToFileURL(path.join(folder, file)).href)) as T
}
