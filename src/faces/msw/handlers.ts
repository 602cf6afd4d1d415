import { http, type HttpHandler, HttpResponse } from 'msw'
import { checkOptions } from '../../core/errors/check.ts'
import {
  headerOf,
  type HeaderList,
  isBytes,
  type MockResponse,
} from '../../core/http/contract/messages.ts'
import type { Answerer } from '../../core/http/contract/answerer.ts'
import { platform } from '../web/platform.ts'
import { isOrigin, splitUrl, toBodyInit, toMockRequest } from '../web/web.ts'
import { complete } from './complete.ts'
import { toSettingResponse } from './set-cookies.ts'

/** Which requests the handlers answer. */
export interface HandlersOptions {
  /** Only requests to this origin: `https://api.example.com`. @default any */
  origin?: string
}

/**
 * Makes the MSW handlers of a mock: one, which answers whatever is the mock's and lets the rest,
 * page navigations among it, pass. What `server.use` or `worker.use` adds comes before it.
 * @throws MockError when the origin is no URL
 * @example const server = setupServer(...handlers(mock))
 */
export function handlers(mock: Answerer, options: HandlersOptions = {}): HttpHandler[] {
  checkOptions('the options of handlers', options, { origin: isOrigin })
  const origin = options.origin && new URL(options.origin).origin
  const isOurs = ({ request }: { request: Request }): boolean => {
    if (request.mode === 'navigate') return false
    const url = splitUrl(request.url)
    return (!origin || url.origin === origin) && mock.owns(url.path)
  }
  return [
    // A function, as a pattern means different things to MSW 2 and 3, and what a resolver lets
    // pass would still count as mocked.
    http.all(isOurs, async ({ request, cookies }) => {
      const asked = toMockRequest(request)
      const response = await mock.handle(complete(asked, cookies), { origins: 'any' })
      return toHttpResponse(response, request)
    }),
  ]
}

/** MSW's own class keeps `Set-Cookie`, which a page drops from a `Response`. */
async function toHttpResponse(response: MockResponse, { signal, url }: Request): Promise<Response> {
  const { status, headers } = response
  if (status === 0) return HttpResponse.error()
  const body = toBodyInit(response, signal)
  const init = { status, headers: [...headers, ...framing(headers, body)] }
  if (headerOf(headers, 'Set-Cookie') === undefined) return new HttpResponse(body, init)
  return toSettingResponse(body, init, url)
}

/**
 * Where a body ends. MSW 3 plays real sockets in Node: an answer that does not say it closes its
 * connection, and one that breaks off looks whole.
 */
function framing(
  headers: HeaderList,
  body: string | Uint8Array | ReadableStream | null,
): HeaderList {
  if (body === null || headerOf(headers, 'Content-Length') !== undefined) return []
  const bytes = typeof body === 'string' ? platform.encode(body) : body
  return isBytes(bytes)
    ? [['Content-Length', String(bytes.byteLength)]]
    : [['Transfer-Encoding', 'chunked']]
}

/** What `server.listen` and `worker.start` take so that an unmocked request is an error. */
export interface StrictOptions {
  onUnhandledRequest: 'error'
  onUnhandledFrame: 'error'
}

/**
 * The listen options that make an unmocked request an error on MSW 2 and 3, which name them differently.
 * @example server.listen(strict())
 */
export function strict(): StrictOptions {
  return { onUnhandledRequest: 'error', onUnhandledFrame: 'error' }
}
