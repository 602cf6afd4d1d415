import type { NormalizedHotChannelClient, ViteDevServer } from 'vite'
import type { Feed, FeedChange, FeedStatus } from './feed.ts'
import { toOverlay } from './error-overlay.ts'
import { toResolved, virtualFixtures, virtualStatus } from './virtual.ts'

/** Tells every page that is open what has changed, and lets the next one load it. */
export function broadcast(server: ViteDevServer, feed: Feed, change: FeedChange): void {
  for (const { moduleGraph, hot } of Object.values(server.environments)) {
    for (const id of [virtualFixtures, virtualStatus]) {
      const module = moduleGraph.getModuleById(toResolved(id))
      if (module) moduleGraph.invalidateModule(module)
    }
    if (!isEmpty(change)) hot.send('fixtura:change', change)
  }
  sendStatus(server.environments.client.hot, feed, server.config.root)
}

/** Brings every page that has just loaded the fixtures up to date. */
export function welcome(server: ViteDevServer, feed: Feed): void {
  server.environments.client.hot.on('fixtura:ready', ({ revision }: FeedChange, client) => {
    const missed = feed.since(revision)
    if (!isEmpty(missed)) client.send('fixtura:change', missed)
    sendStatus(client, feed, server.config.root)
  })
}

function isEmpty({ changed, removed }: FeedChange): boolean {
  return removed.length === 0 && Object.keys(changed).length === 0
}

function sendStatus(to: Pick<NormalizedHotChannelClient, 'send'>, feed: Feed, root: string): void {
  const status: FeedStatus = { isBroken: feed.errors.length > 0 }
  to.send('fixtura:status', status)
  const overlay = toOverlay(feed.errors, root)
  if (overlay) to.send(overlay)
}
