import type { ViteDevServer } from 'vite'
import type { Feed, FeedChange } from './feed.ts'
import { toOverlay } from './problems.ts'
import { toResolved, virtualFixtures, virtualStatus } from './virtual.ts'

/** Tells every page that is open what has changed, and lets the next one load it. */
export function broadcast(server: ViteDevServer, feed: Feed, change: FeedChange): void {
  for (const { moduleGraph, hot } of Object.values(server.environments)) {
    for (const id of [virtualFixtures, virtualStatus]) {
      const module = moduleGraph.getModuleById(toResolved(id))
      if (module) moduleGraph.invalidateModule(module)
    }
    hot.send('fixtura:change', change)
  }
  const overlay = toOverlay(feed.errors, server.config.root)
  if (overlay) server.environments.client.hot.send(overlay)
}

/** Brings every page that has just loaded the fixtures up to date. */
export function welcome(server: ViteDevServer, feed: Feed): void {
  server.environments.client.hot.on('fixtura:ready', ({ revision }: FeedChange, client) => {
    client.send('fixtura:change', feed.since(revision))
    const overlay = toOverlay(feed.errors, server.config.root)
    if (overlay) client.send(overlay)
  })
}
