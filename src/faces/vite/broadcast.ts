import type { NormalizedHotChannelClient, ViteDevServer } from 'vite'
import type { Feed, FeedChange, FeedStatus } from './feed.ts'
import { toErrorOverlay } from './error-overlay.ts'
import { toResolved, virtualFixtures, virtualStatus } from './virtual.ts'

/**
 * Sends a change of the fixture files to every open page of a dev server, and invalidates the virtual
 * modules, so that new pages load the changed fixtures.
 */
export function broadcastChange(server: ViteDevServer, feed: Feed, change: FeedChange): void {
  for (const { moduleGraph, hot } of Object.values(server.environments)) {
    for (const id of [virtualFixtures, virtualStatus]) {
      const module = moduleGraph.getModuleById(toResolved(id))
      if (module) moduleGraph.invalidateModule(module)
    }
    if (!isEmpty(change)) hot.send('fixtura:change', change)
  }
  sendStatus(server.environments.client.hot, feed, server.config.root)
}

/**
 * Sends each page that has loaded the fixtures the changes that it has missed since, by the revision of its
 * fixtures.
 */
export function sendMissedChanges(server: ViteDevServer, feed: Feed): void {
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
  const overlay = toErrorOverlay(feed.errors, root)
  if (overlay) to.send(overlay)
}
