import { resolve, join } from 'node:path'
import type { PreviewServer, ViteDevServer } from 'vite'
import { type Home, withControl } from '../../core/control/control.ts'
import { type CoreMock, createCoreMock } from '../../core/mock/core-mock.ts'
import type { FileConfig } from '../../core/mock/file-config.ts'
import { createIntake } from '../../core/mock/intake.ts'
import { createFixtureShapes } from '../../core/mock/shapes.ts'
import { type Shape, createShapes } from '../../core/shape/shapes.ts'
import { toMessage } from '../../core/errors/error-details.ts'
import { toMockConfig, toServeOptions } from '../../load/config/check-config.ts'
import { resolveBehaviours } from '../../load/resolve-behaviours.ts'
import { loadFixtures, type LoadResult } from '../../loader/load.ts'
import { createFileSource, type FileSource } from '../../loader/watch/file-source.ts'
import { watchFiles } from '../../loader/watch/watch-files.ts'
import { createRecordSaver, type SaveRecords } from '../../loader/persist/save-records.ts'
import { readHome } from '../node/home.ts'
import { toAccess } from '../node/http/access.ts'
import { platform } from '../web/platform.ts'
import {
  broadcastChange,
  logChange,
  logLoaded,
  sendMissedChanges,
  serveSaves,
} from './broadcast.ts'
import { createFeed, type Feed, type FeedChange } from './feed.ts'
import { mount, printHome, serveStudio, serveWorkerScript } from './middleware.ts'
import type { ResolvedOptions } from './options.ts'
import { existsSync } from 'node:fs'
import { idFieldOf } from '../../core/fixtures/id-field.ts'
import { toSources } from '../../core/shape/sources.ts'
import { toTypescript } from '../../core/shape/typescript/to-typescript.ts'
import type { JsonSchema } from '../../core/types/json-schema.ts'
import { writeChanged } from '../../loader/atomic-write.ts'

/**
 * Starts the plugin in a dev server: loads and watches the fixtures, and writes the types. In `server` mode
 * adds a mock; in `page` mode serves the worker script and the studio, and saves edits of pages.
 */
export async function startDev(
  server: ViteDevServer,
  options: ResolvedOptions,
): Promise<ServedFixtures> {
  const { logger } = server.config
  const declare = (fixtures: Fixtures): Promise<void> =>
    declareTypes(fixtures, options, server.config.root).catch((error: unknown) =>
      logger.warn(`Failed to write the types of the fixtures: ${String(error)}`),
    )
  const isWatching = server.config.server.watch !== null
  const served = await start(server, options, isWatching, async (change, fixtures) => {
    broadcastChange(server, fixtures.feed, change)
    await fixtures.updated
    await declare(fixtures)
  })
  sendMissedChanges(server, served.feed)
  if (options.mode === 'page') {
    serveWorkerScript(server)
    serveStudio(server)
    serveSaves(server, served.save)
  }
  await declare(served)
  return served
}

/** Adds a mock to a preview server in `server` mode; a built page in `page` mode has its own. */
export async function startPreview(server: PreviewServer, options: ResolvedOptions): Promise<void> {
  if (options.mode !== 'server') return
  const { close } = await start(server, options, true, async () => {})
  server.httpServer.once('close', () => void close())
}

/** The fixtures of a running Vite server, loaded and watched. */
export interface ServedFixtures extends Fixtures {
  /** Finishes the recordings of proxies, and stops watching the files. */
  close(): Promise<void>
}

/** The current fixtures of a running Vite server. */
interface Fixtures {
  feed: Feed
  /** Writes records into the fixture files. */
  save: SaveRecords
  /** The shapes of the fixtures as they are now. */
  infer(): Shape[]
  /** Resolves when changed schemas and scenarios are taken over. */
  updated?: Promise<void> | undefined
}

async function start(
  server: ViteDevServer | PreviewServer,
  { paths, mode, config }: ResolvedOptions,
  isWatching: boolean,
  onChange: (change: FeedChange, fixtures: Fixtures) => Promise<void>,
): Promise<ServedFixtures> {
  const { root, logger } = server.config
  const { id, relations, foreignKeySuffix } = config
  const loaded = await loadFixtures(paths, { cwd: root, id, relations, foreignKeySuffix })
  logLoaded(loaded, logger)
  const source = createFileSource(paths, loaded, { cwd: root, id })
  const save = createRecordSaver(source.scanner, createIntake(id).idsOf)
  const own = { ...config, fixtures: paths.map((path) => resolve(root, path)) }
  const mounted = mode === 'server' ? await mountMock(server, source, loaded, own) : undefined
  if (mounted) mounted.mock.saveFixture = save
  const feed = createFeed(source)
  const infer = mounted ? createFixtureShapes(mounted.mock) : createPageShapes(source, config)
  source.onChange((change, conflicts) => {
    logChange(change, conflicts, logger)
    const updated = mounted?.update(change.current)
    void onChange(feed.record(change), { feed, save, infer, updated })
  })
  const { poll, watch } = config
  const isWatched = isWatching && watch !== false
  const stop = isWatched ? await watchFiles(source.scanner, paths, { cwd: root, poll }) : undefined
  const close = async (): Promise<void> => {
    await mounted?.finish()
    await stop?.()
  }
  return { feed, save, infer, close }
}

/** A mock in a Vite server, and the function that takes over changed schemas and scenarios. */
interface MountedMock {
  mock: CoreMock
  update(current: LoadResult): Promise<void>
  /** Finishes the recordings of proxies. */
  finish(): Promise<void>
}

/** Adds a mock to a server: it follows the source, with behaviours of the configuration and of folders. */
async function mountMock(
  server: ViteDevServer | PreviewServer,
  fixtures: FileSource,
  loaded: LoadResult,
  config: FileConfig,
): Promise<MountedMock> {
  const { logger } = server.config
  if (config.persist) logger.warn(noPersist)
  const mockConfig = await toMockConfig(config)
  const { use, fromFolders, recordings } = await resolveBehaviours(
    config,
    loaded,
    resolve(server.config.root, config.cwd ?? '.'),
    (message) => logger.warn(message),
    mockConfig.dialect,
  )
  const mock = createCoreMock({ ...mockConfig, use, fixtures }, platform, (core) => core)
  for (const recording of recordings) recording.follow(fixtures)
  // Vite has checked the host before the mock runs.
  const access = toAccess(hostOf(server), { ...toServeOptions(config), allowHost: '*' })
  // The page at `/` is Vite's.
  const home: Home = async (path) => (path === '/' ? undefined : readHome(path))
  mount(server.middlewares, withControl(mock, home), access)
  printHome(server, access.token)
  if (access.token !== undefined) logger.info(`Requests to /__mock need the token ${access.token}`)
  const report = (error: unknown): void => logger.error(toMessage(error), { timestamp: true })
  const finish = async (): Promise<void> => {
    process.off('SIGINT', interrupt)
    await Promise.all(recordings.map((one) => one.finish())).catch(report)
  }
  // Vite handles no Ctrl-C, which ends its process before a recording is written.
  const interrupt = (): void => void finish().then(() => process.kill(process.pid, 'SIGINT'))
  if (recordings.length > 0) process.once('SIGINT', interrupt)
  return {
    mock,
    finish,
    update: (current) => fromFolders.update(current).then(() => undefined, report),
  }
}

const noPersist =
  'Failed to persist: Vite keeps the changes of requests in memory. Please run "mock server --persist", and let "server.proxy" of Vite lead to it.'

/** The host that a server listens on, as `toAccess` takes it. */
function hostOf(server: ViteDevServer | PreviewServer): string {
  const { host } = 'listen' in server ? server.config.server : server.config.preview
  if (host === true) return '0.0.0.0'
  return host || 'localhost'
}

async function declareTypes(
  { feed, infer }: Fixtures,
  { types }: ResolvedOptions,
  root: string,
): Promise<void> {
  // The types of a broken fixture are unknown; the old types are kept until it is resolved.
  if (types === false || feed.errors.length > 0) return
  await writeDeclaration(toDeclaration(infer()), root, types)
}

/** Infers the types of `virtual:fixtura` from fixtures and schemas, as Vite does not know the behaviours of the page. */
export function createPageShapes(
  { data, scanner }: FileSource,
  { id, relations, foreignKeySuffix }: FileConfig,
): () => Shape[] {
  const infer = createShapes()
  return () => {
    const { schemas } = scanner.current()
    return infer(
      toSources(data, (name) => idFieldOf(id, name)),
      {
        relations,
        foreignKeySuffix,
        describe: (name) =>
          Object.hasOwn(schemas, name) ? [{ schema: schemas[name] as JsonSchema }] : [],
      },
    )
  }
}

/** The declaration of the module `virtual:fixtura`, with the types of the fixtures. */
export function toDeclaration(shapes: readonly Shape[]): string {
  return `/* eslint-disable */
// Generated by fixtura/vite from the fixtures. Changes by hand are overwritten.
declare module 'virtual:fixtura' {
  import type { FixtureSource } from 'fixtura'

${toTypescript(shapes, '  ')}
  /** The fixtures for \`createMock\`, kept up to date with the files by the dev server. */
  export const fixtures: FixtureSource<Fixtures>

  /** The JSON Schemas of files, for \`schema\` of fixtura/behaviours. */
  export const schemas: Record<string, Record<string, unknown>>

  /** The \`base\` of the plugin, for \`createMock\`. */
  export const base: string
}
`
}

/** Writes the declaration of `virtual:fixtura` if it has changed; returns the path of a written file. */
export async function writeDeclaration(
  text: string,
  root: string,
  types: string | false | undefined,
): Promise<string | undefined> {
  const name = types === undefined ? defaultPath(root) : types
  if (name === undefined || name === false) return undefined
  const path = resolve(root, name)
  return (await writeChanged(path, text)) ? path : undefined
}

/** Returns the default path of the file; undefined in a project without TypeScript. */
function defaultPath(root: string): string | undefined {
  if (!existsSync(join(root, 'tsconfig.json'))) return undefined
  return existsSync(join(root, 'src')) ? `src/${fileName}` : fileName
}

const fileName = 'virtual-fixtura.d.ts'
