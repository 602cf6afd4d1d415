import type { PreviewServer, ViteDevServer } from 'vite'
import { isWithin } from '../../core/url/base.ts'
import { controlPath } from '../../core/url/control-path.ts'
import { readHomeFile } from '../node/home.ts'
import { write } from '../node/http/answer.ts'
import { answerHome } from '../web/home.ts'

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
