import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { ViteDevServer } from 'vite'

/**
 * Serves the service worker script of MSW from a dev server, so that a project needs no copy, which would
 * become outdated.
 */
export function serveWorkerScript({ middlewares, config }: ViteDevServer): void {
  const paths = [`/${workerFile}`, `${config.base}${workerFile}`]
  middlewares.use((request, response, next) => {
    const path = request.url?.split('?', 1)[0] ?? ''
    const script = paths.includes(path) ? readWorkerScript(config.root) : undefined
    if (script === undefined) return next()
    response.writeHead(200, {
      'Content-Type': 'text/javascript',
      'Cache-Control': 'no-cache',
      'Service-Worker-Allowed': '/',
    })
    response.end(script)
  })
}

/** Reads the worker script of the `msw` that a project has installed; undefined without `msw`. */
export function readWorkerScript(root: string): string | undefined {
  try {
    const path = createRequire(join(root, 'package.json')).resolve(`msw/${workerFile}`)
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** The file name of the service worker script, as the page requests it from MSW. */
export const workerFile = 'mockServiceWorker.js'
