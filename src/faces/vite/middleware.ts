import { readFileSync } from 'node:fs'
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Connect, PreviewServer, ViteDevServer } from 'vite'
import type { Answerer } from '../../core/http/contract/answerer.ts'
import { isWithin } from '../../core/url/base.ts'
import { controlPath } from '../../core/url/control-path.ts'
import { readHomeFile } from '../node/home.ts'
import type { ServerAccess } from '../node/http/access.ts'
import { answer, write } from '../node/http/answer.ts'
import { splitTarget } from '../node/http/request.ts'
import { answerHome } from '../web/home.ts'

/**
 * Lets a Vite server answer requests from a mock (mode `server` of the plugin). Has to be called in a
 * plugin's hook, so that the mock runs after Vite's check of the host, and before Vite's pages and proxies.
 */
export function mount(middlewares: Connect.Server, mock: Answerer, access: ServerAccess): void {
  const handle: Connect.NextHandleFunction = (request, response, next) => {
    if (!isForMock(request, mock)) return next()
    // Removes the CORS headers of Vite, since the mock sets its own.
    for (const name of response.getHeaderNames()) {
      if (name === 'vary' || name.startsWith('access-control-')) response.removeHeader(name)
    }
    keepRepeatedHeaders(response)
    answer(mock, request, response, access)
  }
  middlewares.use(handle)
  // Vite's CORS middleware answers every OPTIONS request, and runs before those of plugins.
  const handleOptions: Connect.NextHandleFunction = (request, response, next) =>
    request.method === 'OPTIONS' ? handle(request, response, next) : next()
  middlewares.stack.unshift({ route: '', handle: handleOptions })
}

/** Keeps repeated header fields: if other headers were set before, `writeHead` of Node 20 keeps the last field. */
function keepRepeatedHeaders(response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response)
  Object.assign(response, {
    writeHead(status: number, headers: string[] | OutgoingHttpHeaders = {}) {
      if (!Array.isArray(headers)) {
        // This is the response for an answer that cannot be sent; no header of that answer may stay.
        for (const name of response.getHeaderNames()) response.removeHeader(name)
        return writeHead(status, headers)
      }
      const names = headers.filter((_, at) => at % 2 === 0)
      for (const name of names) response.removeHeader(name)
      for (const [at, name] of names.entries())
        response.appendHeader(name, headers[at * 2 + 1] ?? '')
      return writeHead(status)
    },
  })
}

/** Whether the mock handles a request; without a `base`, those for pages, scripts and images go to Vite. */
function isForMock({ url = '/', headers }: Connect.IncomingMessage, mock: Answerer): boolean {
  const destination = headers['sec-fetch-dest'] ?? 'empty'
  const { path, search } = splitTarget(url)
  const isOwn = mock.base !== '' || destination === 'empty' || isWithin(path, controlPath)
  return isOwn && mock.owns(path, search)
}

const homePath = `${controlPath}/home`

/** Serves the studio at `/__mock/home` of a dev server, for the mocks that run in its pages. */
export function serveStudio(server: ViteDevServer): void {
  server.middlewares.use((request, response, next) => {
    const path = request.url?.split('?', 1)[0] ?? ''
    if (!isWithin(path, homePath)) return next()
    answerHome(path, readHomeFile, { isLinked: true, hasReference: false }).then(
      (found) => (found ? write(found, request, response) : next()),
      next,
    )
  })
  printHome(server)
}

/** Prints the URL of the studio below the URLs of Vite. */
export function printHome(server: ViteDevServer | PreviewServer, token?: string): void {
  const { printUrls } = server
  server.printUrls = () => {
    printUrls()
    const [local] = server.resolvedUrls?.local ?? []
    if (local === undefined) return
    const url = new URL(homePath, local)
    if (token !== undefined) url.searchParams.set('token', token)
    server.config.logger.info(`  ➜  Fixtura: ${url}`)
  }
}

/** Serves the service worker of MSW, so that a project needs no copy, which would become outdated. */
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
