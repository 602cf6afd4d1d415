import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Connect } from 'vite'
import type { Access, Answerer } from '../../core/http/contract/answerer.ts'
import { answer } from '../node/http/answer.ts'

/**
 * Lets a mock answer from a server of Vite's. To be called where Vite calls its plugins, so that Vite's
 * check of the host comes first and its pages and proxies after.
 */
export function mount(middlewares: Connect.Server, mock: Answerer, access: Access): void {
  const handle: Connect.NextHandleFunction = (request, response, next) => {
    if (!isForMock(request, mock)) return next()
    // What Vite has said about other origins is the mock's to say here.
    for (const name of response.getHeaderNames()) {
      if (name === 'vary' || name.startsWith('access-control-')) response.removeHeader(name)
    }
    keepLines(response)
    answer(mock, request, response, access)
  }
  middlewares.use(handle)
  // Vite's CORS layer would answer every OPTIONS request by itself, and stands before the plugins.
  const handleOptions: Connect.NextHandleFunction = (request, response, next) =>
    request.method === 'OPTIONS' ? handle(request, response, next) : next()
  middlewares.stack.unshift({ route: '', handle: handleOptions })
}

/** Lets several lines have one name: where headers were set before, Node 20 would keep the last of them. */
function keepLines(response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response)
  Object.assign(response, {
    writeHead(status: number, headers: string[] | OutgoingHttpHeaders = {}) {
      if (!Array.isArray(headers)) {
        // It says that the answer cannot be sent, of which nothing may stay.
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

/** Whether a request is the mock's. Without a base, only what a program asks for: no page, script or image. */
function isForMock({ url = '/', headers }: Connect.IncomingMessage, mock: Answerer): boolean {
  const destination = headers['sec-fetch-dest'] ?? 'empty'
  return mock.owns(url.split('?', 1)[0] ?? '') && (mock.base !== '' || destination === 'empty')
}
