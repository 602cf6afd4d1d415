import { resolve } from 'node:path'
import type { Plugin, ResolvedConfig } from 'vite'
import { isWithin, toBase } from '../../core/url/base.ts'
import { MockError } from '../../core/errors/mock-error.ts'
import { toData } from '../../core/fixtures/source.ts'
import { loadFixtures } from '../../loader/load.ts'
import { throwErrors } from '../../load/throw-errors.ts'
import { readOptions, type FixturaOptions } from './options.ts'
import { type ServedFixtures, startDev, startPreview } from './start.ts'
import { toModule, toResolved, virtualFixtures, virtualStatus } from './virtual.ts'
import { isVitest, rerun, type VitestHook } from './vitest.ts'
import { readWorkerScript, workerFile } from './worker-script.ts'

/**
 * Brings fixtures into a project of Vite 6 to 8: as the module `virtual:fixtura`, which follows the files
 * without a reload of the page, or as answers of Vite's own servers.
 * @throws MockError when an option is wrong, and when Vite is older
 * @example export default defineConfig({ plugins: [fixtura({ base: '/api', mode: 'server' })] })
 */
export function fixtura(options: FixturaOptions = {}): Plugin {
  const read = readOptions(options)
  const { paths, mode, config, production } = read
  const base = toBase(config.base)
  /** The fixtures of each server by its configuration: a restarted server overlaps with the one before. */
  const served = new WeakMap<ResolvedConfig, ServedFixtures>()
  let vite: ResolvedConfig
  let isBundled = false

  /** The data where no dev server follows it: none in a build unless it was asked for. */
  async function loadOnce(watch: (file: string) => void): Promise<Record<string, unknown>> {
    if (vite.command === 'build' && !production) return {}
    const loaded = await loadFixtures(paths, { cwd: vite.root, id: config.id })
    // Broken ones too, whose mending is waited for. A dev server would resolve a folder as an import.
    const folders = vite.command === 'build' ? places() : []
    for (const file of [...folders, ...loaded.files.keys()]) watch(file)
    throwErrors(loaded.diagnostics)
    return toData(loaded.sources)
  }

  /** The fixtures' folders and files, as Vite writes paths. */
  function places(): string[] {
    return paths.map((path) => resolve(vite.root, path).replaceAll('\\', '/'))
  }

  const plugin: Plugin & VitestHook = {
    name: 'fixtura',
    // Before whatever reloads the page when any file changes.
    enforce: 'pre',
    configResolved(resolved) {
      checkVite(resolved)
      vite = resolved
    },
    async configureServer(server) {
      served.set(server.config, await startDev(server, read))
    },
    configurePreviewServer: (server) => startPreview(server, read),
    resolveId(id) {
      return id === virtualFixtures || id === virtualStatus ? toResolved(id) : undefined
    },
    async load(id) {
      const isStatus = id === toResolved(virtualStatus)
      if (!isStatus && id !== toResolved(virtualFixtures)) return undefined
      isBundled = vite.command === 'build' && production
      const config = this.environment.getTopLevelConfig()
      // Vitest lets nobody watch for its projects, and begins again with a change.
      const feed = isVitest(config) ? undefined : served.get(config)?.feed
      const data = feed?.data ?? (await loadOnce((file) => this.addWatchFile(file)))
      return toModule({ data: isStatus ? {} : data, base, revision: feed?.revision })
    },
    configureVitest: ({ vitest }) => rerun(vitest, places()),
    hotUpdate({ file, modules }) {
      const isFixture = places().some((path) => isWithin(file, path))
      // Who imports a fixture besides has to hear of it; for whoever only watches it, it is not meant.
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
    'Failed to use fixtura/vite: it takes Vite 6 or later. Please update Vite, or run "npx mock server" and let "server.proxy" of Vite lead to it.',
    { code: 'VITE_TOO_OLD' },
  )
}
