import type { PreviewServer, ViteDevServer } from 'vite'
import { idFieldOf } from '../../core/fixtures/id-field.ts'
import { withControl } from '../../core/control/control.ts'
import { pathOf } from '../../core/fixtures/fixtures.ts'
import { createCoreMock } from '../../core/mock/core-mock.ts'
import { reloadAll } from '../../core/store/reload/reload.ts'
import { toMockConfig } from '../../load/config/file-config.ts'
import { toReload } from '../../load/to-data.ts'
import { toAccess } from '../node/http/access.ts'
import { platform } from '../web/platform.ts'
import { broadcast, welcome } from './broadcast.ts'
import { toDeclaration } from './declaration.ts'
import type { Feed, FeedChange } from './feed.ts'
import { follow, type Following, type FollowOptions } from './follow.ts'
import { mount } from './middleware.ts'
import type { ReadOptions } from './options.ts'
import { serveWorkerScript } from './worker-script.ts'
import { writeDeclaration } from './write-declaration.ts'

/** Brings the fixtures into a dev server. */
export async function startDev(server: ViteDevServer, options: ReadOptions): Promise<Following> {
  const { logger } = server.config
  const declare = (feed: Feed): Promise<void> =>
    declareTypes(feed, options, server.config.root).catch((error: unknown) =>
      logger.warn(`Failed to write the types of the fixtures: ${String(error)}`),
    )
  const following = await start(
    server,
    options,
    server.config.server.watch !== null,
    (change, feed) => {
      broadcast(server, feed, change)
      void declare(feed)
    },
  )
  welcome(server, following.feed)
  if (options.mode === 'page') serveWorkerScript(server)
  await declare(following.feed)
  return following
}

/** Brings the fixtures into a preview server, which has no page that could answer by itself. */
export async function startPreview(server: PreviewServer, options: ReadOptions): Promise<void> {
  if (options.mode !== 'server') return
  const { close } = await start(server, options, true, () => {})
  server.httpServer.once('close', () => void close())
}

async function start(
  server: ViteDevServer | PreviewServer,
  { paths, mode, config }: ReadOptions,
  isWatching: boolean,
  onChange: FollowOptions['onChange'],
): Promise<Following> {
  const { middlewares } = server
  const { root, logger } = server.config
  const mockConfig = await toMockConfig(config)
  let reload = (_change: FeedChange): void => {}
  const following = await follow({
    paths,
    root,
    id: config.id,
    relations: config.relations,
    logger,
    isWatching,
    onChange(change, feed) {
      reload(change)
      onChange(change, feed)
    },
  })
  if (mode === 'page') return following
  const fixtures = { ...following.feed.data }
  const mock = createCoreMock({ ...mockConfig, fixtures }, platform, (core) => core)
  // Vite has looked at the host before it asks its plugins.
  const access = toAccess(hostOf(server), { allowHost: '*' })
  mount(middlewares, withControl(mock), access)
  if (access.token !== undefined)
    logger.info(`Whoever steers the mock needs the token ${access.token}`)
  reload = (change) => {
    for (const conflict of reloadAll(mock.store, toReload(change.changed, change.removed))) {
      logger.warn(`${pathOf(conflict)}: the fixture took the place of what requests wrote.`)
    }
  }
  return following
}

/** Where a server listens, in the words of our own. */
function hostOf(server: ViteDevServer | PreviewServer): string {
  const { host } = 'listen' in server ? server.config.server : server.config.preview
  if (host === true) return '0.0.0.0'
  return host || 'localhost'
}

async function declareTypes(
  feed: Feed,
  { config, types }: ReadOptions,
  root: string,
): Promise<void> {
  // The types of a fixture that cannot be read are not known, and those of before are better than none.
  if (feed.errors.length > 0) return
  const sources = Object.entries(feed.data).map(([name, value]) => ({ name, value }))
  const text = toDeclaration(sources, (name) => idFieldOf(config.id, name))
  await writeDeclaration(text, root, types)
}
