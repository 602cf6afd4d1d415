import { resolve } from 'node:path'
import type { Plugin, ResolvedConfig, ViteDevServer } from 'vite'
import { isWithin, toBase } from '../../core/url/base.ts'
import { MockError } from '../../core/errors/mock-error.ts'
import { toData } from '../../core/fixtures/source.ts'
import { loadFixtures } from '../../loader/load.ts'
import { throwErrors } from '../../loader/check/diagnose.ts'
import { type FixturaOptions, resolveOptions } from './options.ts'
import type { Feed } from './feed.ts'
import { type ServedFixtures, startDev, startPreview } from './start.ts'
import { toModule, toResolved, virtualFixtures, virtualStatus } from './virtual.ts'
import { readWorkerScript, workerFile } from './middleware.ts'

/**
 * Adds fixtures to a project with Vite 6 to 8: as the module `virtual:fixtura`, which takes over edits
 * without a reload of the page, or as a mock in Vite's own servers.
 * @throws MockError when an option is wrong, or Vite is older
 * @example export default defineConfig({ plugins: [fixtura({ base: '/api', mode: 'server' })] })
 */
export function fixtura(options: FixturaOptions = {}): Plugin {
  const resolved = resolveOptions(options)
  const { paths, mode, config, production } = resolved
  const base = toBase(config.base)
  /** The fixtures of each server by its configuration: a restarted server overlaps with the one before. */
  const served = new WeakMap<ResolvedConfig, ServedFixtures>()
  let vite: ResolvedConfig
  let isBundled = false

  /** The data without a dev server; a build contains no data without the option `production`. */
  async function loadOnce(watch: (file: string) => void): Promise<Pick<Feed, 'data' | 'schemas'>> {
    if (vite.command === 'build' && !production) return { data: {}, schemas: {} }
    const loaded = await loadFixtures(paths, { cwd: vite.root, id: config.id })
    // Broken files too, whose next save may resolve the error. A dev server resolves a watched folder as an import.
    const folders = vite.command === 'build' ? fullPaths() : []
    for (const file of [...folders, ...loaded.files.keys()]) watch(file)
    throwErrors(loaded.diagnostics)
    return { data: toData(loaded.sources), schemas: loaded.schemas }
  }

  /** The absolute paths of the fixtures, with slashes, as Vite writes paths. */
  function fullPaths(): string[] {
    return paths.map((path) => resolve(vite.root, path).replaceAll('\\', '/'))
  }

  const plugin: Plugin & VitestHook = {
    name: 'fixtura',
    // Runs before plugins that reload the page after a change of any file.
    enforce: 'pre',
    configResolved(viteConfig) {
      checkVite(viteConfig)
      vite = viteConfig
    },
    async configureServer(server) {
      served.set(server.config, await startDev(server, resolved))
    },
    configurePreviewServer: (server) => startPreview(server, resolved),
    resolveId(id) {
      return id === virtualFixtures || id === virtualStatus ? toResolved(id) : undefined
    },
    async load(id) {
      const isStatus = id === toResolved(virtualStatus)
      if (!isStatus && id !== toResolved(virtualFixtures)) return undefined
      isBundled = vite.command === 'build' && production
      const config = this.environment.getTopLevelConfig()
      // Vitest disables watching for its projects, and reruns tests after a change.
      const feed = isVitest(config) ? undefined : served.get(config)?.feed
      const { data, schemas } = feed ?? (await loadOnce((file) => this.addWatchFile(file)))
      const content = isStatus ? { data: {}, schemas: {} } : { data, schemas }
      return toModule({ ...content, base, revision: feed?.revision })
    },
    configureVitest: ({ vitest }) => rerunTests(vitest, fullPaths()),
    hotUpdate({ file, modules }) {
      const isFixture = fullPaths().some((path) => isWithin(file, path))
      // Updates the modules that import the fixture; ignores those that only watch it, which have no id.
      return isFixture ? modules.filter(({ id }) => id !== null) : undefined
    },
    transformIndexHtml: {
      order: 'pre',
      handler(_html, { server }) {
        if (mode !== 'server' || !server) return undefined
        const children = `import '${virtualStatus}'`
        return [{ tag: 'script', attrs: { type: 'module' }, children, injectTo: 'head' }]
      },
    },
    generateBundle() {
      const isPage = this.environment.config.consumer === 'client'
      const source = isBundled && isPage ? readWorkerScript(vite.root) : undefined
      if (source !== undefined) this.emitFile({ type: 'asset', fileName: workerFile, source })
    },
    async buildEnd() {
      await served.get(this.environment.getTopLevelConfig())?.close()
    },
  }
  return plugin
}

function checkVite({ environments }: { environments?: object }): void {
  if (environments) return
  throw new MockError(
    'Failed to use fixtura/vite: it takes Vite 6 or later. Please update Vite, or run "npx fixtura server" and let "server.proxy" of Vite lead to it.',
    { code: 'VITE_TOO_OLD' },
  )
}

/** Reruns the tests that import the fixtures when these change; Vitest itself does so only for modules. */
export function rerunTests({ vite, watcher }: Vitest, paths: string[]): void {
  vite.watcher.add(paths)
  vite.watcher.on('all', (_event, path) => {
    const file = path.replaceAll('\\', '/')
    if (paths.some((folder) => isWithin(file, folder))) {
      watcher.onFileChange?.(toResolved(virtualFixtures))
    }
  })
}

/** Whether the configuration is of Vitest: of its root, a project, or its browser mode. */
function isVitest({ plugins }: Pick<ResolvedConfig, 'plugins'>): boolean {
  return plugins.some(({ name }) => /^vitest(?::|$)/.test(name))
}

/** The plugin hook `configureVitest` of Vitest 4.1 and later, through which changed fixtures rerun tests. */
interface VitestHook {
  configureVitest(context: { vitest: Vitest }): void
}

/** The used part of Vitest. */
interface Vitest {
  vite: Pick<ViteDevServer, 'watcher'>
  /** Reruns the tests that import a file; Vitest 3 has no public `onFileChange`. */
  watcher: { onFileChange?(id: string): void }
}
