import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, type Plugin } from 'vite'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The URL of the page that creates the mocks of a test file, by version of MSW. */
    pages: Record<Msw, string>
  }
}

/** The names of the installed major versions of MSW. */
export type Msw = 'msw' | 'msw3'

const root = join(import.meta.dirname, '../../..')
const pages = join(import.meta.dirname, 'page')

/** Serves the pages that create the mocks of a test file and send requests to them. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [msw, msw3] = await Promise.all([startServer('msw'), startServer('msw3')])
  project.provide('pages', { msw: msw.url, msw3: msw3.url })
  return async () => {
    await Promise.all([msw.close(), msw3.close()])
  }
}

async function startServer(msw: Msw): Promise<{ url: string; close(): Promise<void> }> {
  const cacheDir = mkdtempSync(join(tmpdir(), 'fixtura-pages-'))
  const server = await createServer({
    root,
    cacheDir,
    configFile: false,
    logLevel: 'error',
    plugins: [standIns, createWorkerScript(msw)],
    resolve: { alias: [{ find: /^msw(?=\/|$)/, replacement: msw }] },
    optimizeDeps: { entries: ['test/browser/contract/page/main.ts', 'test/contract/**/*.test.ts'] },
    server: { host: '127.0.0.1', port: 0, watch: null, hmr: false },
  })
  await server.listen()
  return {
    url: new URL('test/browser/contract/page/', server.resolvedUrls?.local[0]).href,
    async close() {
      await server.close()
      rmSync(cacheDir, { recursive: true, force: true })
    },
  }
}

const facesId = '\0faces'

/** Replaces `vitest` and `faces.ts` in a page, so that test files only register their tables. */
const standIns: Plugin = {
  name: 'stand-ins',
  enforce: 'pre',
  resolveId(id, importer = '') {
    if (id === 'vitest') return join(pages, 'vitest.ts')
    return id.endsWith('/faces.ts') && importer.includes('/test/contract/') ? facesId : undefined
  },
  load(id) {
    if (id !== facesId) return undefined
    const text = readFileSync(join(root, 'test/faces.ts'), 'utf8')
    const names = [...text.matchAll(/^export (?:async )?(?:const|function|let) (\w+)/gm)]
    const others = names.map(([, name]) => name).filter((name) => name !== 'contract')
    return [
      `export { contract } from '${join(pages, 'tables.ts')}'`,
      `import { createNothing } from '${join(pages, 'vitest.ts')}'`,
      ...others.map((name) => `export const ${name} = createNothing()`),
    ].join('\n')
  },
}

function createWorkerScript(msw: Msw): Plugin {
  const script = readFileSync(join(root, 'node_modules', msw, 'lib/mockServiceWorker.js'))
  return {
    name: 'worker-script',
    configureServer({ middlewares }) {
      middlewares.use('/mockServiceWorker.js', (_request, response) => {
        response.setHeader('Content-Type', 'text/javascript').end(script)
      })
    },
  }
}
