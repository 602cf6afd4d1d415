import { resolve } from 'node:path'
import type { Plugin, ResolvedConfig } from 'vite'
import { isWithin, toBase } from '../../core/base.ts'
import { loadFixtures } from '../../loader/load.ts'
import { throwErrors } from '../node/load/throw-errors.ts'
import { toData } from '../node/load/to-data.ts'
import type { Feed } from './feed.ts'
import type { Following } from './follow.ts'
import { readOptions, type FixturaOptions } from './options.ts'
import { startDev, startPreview } from './start.ts'
import { toModule, toResolved, virtualFixtures, virtualStatus } from './virtual.ts'
import { readWorkerScript, workerFile } from './worker-script.ts'

/**
 * Brings fixtures into a project of Vite 6 to 8: as the module `virtual:fixtura`, which follows the files
 * without a reload of the page, or as answers of Vite's own servers.
 * @throws MockError when an option is wrong
 * @example export default defineConfig({ plugins: [fixtura({ base: '/api', mode: 'server' })] })
 */
export function fixtura(options: FixturaOptions = {}): Plugin {
  const read = readOptions(options)
  const { paths, mode, config, production } = read
  const base = toBase(config.base)
  /** What each running server follows: a server that is started again overlaps with the one before. */
  const followings = new WeakMap<ResolvedConfig, Following>()
  let vite: ResolvedConfig
  let isBundled = false

  /** The data where no dev server follows it: none in a build unless it was asked for. */
  async function loadOnce(): Promise<Pick<Feed, 'data' | 'files'> & { revision?: undefined }> {
    if (vite.command === 'build' && !production) return { data: {}, files: [] }
    const loaded = await loadFixtures(paths, { cwd: vite.root, id: config.id })
    throwErrors(loaded.diagnostics)
    return { data: toData(loaded), files: [...loaded.files.keys()] }
  }

  return {
    name: 'fixtura',
    // Before whatever reloads the page when any file changes.
    enforce: 'pre',
    configResolved(resolved) {
      vite = resolved
    },
    async configureServer(server) {
      followings.set(server.config, await startDev(server, read))
    },
    configurePreviewServer: (server) => startPreview(server, read),
    resolveId(id) {
      return id === virtualFixtures || id === virtualStatus ? toResolved(id) : undefined
    },
    async load(id) {
      const isStatus = id === toResolved(virtualStatus)
      if (!isStatus && id !== toResolved(virtualFixtures)) return undefined
      isBundled = vite.command === 'build' && production
      const following = followings.get(this.environment.getTopLevelConfig())
      const { data, revision, files } = following?.feed ?? (await loadOnce())
      // A build that watches and Vitest start again with a file; pages, which are told, would be reloaded.
      const isVitest = vite.plugins.some(({ name }) => name === 'vitest')
      if (!following || isVitest) for (const file of files) this.addWatchFile(file)
      return toModule({ data: isStatus ? {} : data, base, revision })
    },
    hotUpdate({ file, modules }) {
      const folders = paths.map((path) => resolve(vite.root, path).replaceAll('\\', '/'))
      const isFixture = folders.some((path) => isWithin(file, path))
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
      await followings.get(this.environment.getTopLevelConfig())?.close()
    },
  }
}
