import { type HttpHandler, HttpResponse, http, type WebSocketHandler } from 'msw'
import { checkOptions } from '../../core/errors/check.ts'
import type { Answerer } from '../../core/http/contract/answerer.ts'
import type { AnyMock } from '../../core/http/contract/any-mock.ts'
import { internalsOf, type Route } from '../../core/http/contract/internals.ts'
import {
  type HeaderList,
  type MockRequest,
  type MockResponse,
  headerOf,
  isStream,
} from '../../core/http/contract/messages.ts'
import { isOrigin, splitUrl, toBodyInit, toMockRequest } from '../web/web.ts'
import { createSocketHandler } from './sockets.ts'
import * as msw from 'msw'

/**
 * Creates the MSW handlers of a mock: one handler, which answers requests that the mock owns and ignores all others
 * and page navigations, and one of its sockets if it has any. Handlers that `server.use` or `worker.use` adds come
 * first.
 * @throws MockError without a mock, and when the origin is not a URL
 * @example
 * const server = setupServer(...handlers(mock))
 * server.listen(strict())
 */
export function handlers(
  mock: AnyMock,
  options: HandlersOptions = {},
): [HttpHandler, ...WebSocketHandler[]] {
  const internals = internalsOf(mock, 'the mock of handlers')
  return createHandlers(internals, options, internals.routes)
}

/** The options of `handlers`, which makes the MSW handlers of a mock. */
export interface HandlersOptions {
  /** Answers only requests to this origin: `https://api.example.com`. @default any */
  origin?: string | undefined
}

/** Creates the handlers of anything that answers requests, such as a mock that can be stopped. */
export function createHandlers(
  mock: Answerer,
  options: HandlersOptions,
  routes: readonly Pick<Route, 'path' | 'sockets'>[] = [],
): [HttpHandler, ...WebSocketHandler[]] {
  checkOptions('the options of handlers', options, { origin: isOrigin })
  const origin = options.origin && new URL(options.origin).origin
  const isOwned = ({ request }: { request: Request }): boolean => {
    if (request.mode === 'navigate') return false
    const url = splitUrl(request.url)
    return (!origin || url.origin === origin) && mock.owns(url.path, url.search)
  }
  const paths = routes.filter(({ sockets }) => sockets).map(({ path }) => path)
  return [
    // A function instead of a pattern, because MSW 2 and 3 read patterns differently, and because a
    // request that a resolver passes through still counts as handled.
    http.all(isOwned, async ({ request, cookies }) => {
      const mockRequest = complete(toMockRequest(request), cookies)
      const response = await mock.handle(mockRequest, { origins: 'any' })
      return toHttpResponse(response, request)
    }),
    ...(paths.length > 0 ? [createSocketHandler(mock, paths, origin)] : []),
  ]
}

/** Converts a response to MSW's class, because a page removes `Set-Cookie` from a plain `Response`. */
async function toHttpResponse(response: MockResponse, { signal, url }: Request): Promise<Response> {
  const { status, headers } = response
  if (status === 0) return HttpResponse.error()
  const body = toBodyInit(response, signal)
  const init = { status, headers: isStream(response.body) ? withFraming(headers) : headers }
  if (headerOf(headers, 'Set-Cookie') === undefined) return new HttpResponse(body, init)
  return toCookieResponse(body, init, url)
}

/** Marks the end of a stream: without it, MSW 3 closes the connection, and a truncated response looks complete. */
function withFraming(headers: HeaderList): HeaderList {
  if (headerOf(headers, 'Content-Length') !== undefined) return headers
  return [...headers, ['Transfer-Encoding', 'chunked']]
}

/** The options of `server.listen` and `worker.start` that make an unmocked request an error. */
export interface StrictOptions {
  onUnhandledRequest: 'error'
  onUnhandledFrame: 'error'
}

/**
 * Returns listen options that make an unmocked request an error, under the names of MSW 2 and 3.
 * @example
 * server.listen(strict())
 */
export function strict(): StrictOptions {
  return { onUnhandledRequest: 'error', onUnhandledFrame: 'error' }
}

/** Adds the cookies, which MSW passes apart, and the headers of a preflight, which happy-dom omits. */
function complete(request: MockRequest, cookies: Readonly<Record<string, string>>): MockRequest {
  return withCookies(withPreflight(request), cookies)
}

/** Adds the headers of a preflight (Fetch §4.8): without them it is an OPTIONS that `auth` can refuse. */
function withPreflight(request: MockRequest): MockRequest {
  const { method, headers } = request
  if (method !== 'OPTIONS' || headers['origin'] !== undefined) return request
  if (!headers['user-agent']?.includes('HappyDOM')) return request
  const { origin } = location
  return { ...request, headers: { ...headers, origin, 'access-control-request-method': 'GET' } }
}

/** Adds the cookies that MSW has read to a request without `Cookie`, as in a page; else corrects its separators. */
export function withCookies(
  request: MockRequest,
  cookies: Readonly<Record<string, string>>,
): MockRequest {
  const pairs = Object.entries(cookies)
  if (pairs.length === 0) return request
  const present = request.headers['cookie']
  const cookie =
    present === undefined
      ? pairs.map(([name, value]) => `${name}=${encode(value)}`).join('; ')
      : fixSeparators(present)
  return { ...request, headers: { ...request.headers, cookie } }
}

/** Separates cookies by semicolons (RFC 6265 §4.2.1): MSW 2 with happy-dom joins them by commas. */
function fixSeparators(header: string): string {
  return header.replace(/, (?=[^\s,;=]+=)/g, '; ')
}

/** Encodes the separators and percent signs of a value that MSW has decoded. */
function encode(value: string): string {
  return value.replace(/[%;,\s]/g, encodeURIComponent)
}

/**
 * Creates a response with cookies: a response for each line, because MSW 2 reads several lines as one cookie,
 * and throws for a cookie that the URL may not set.
 */
async function toCookieResponse(
  body: BodyInit | null,
  init: { status: number; headers: HeaderList },
  url: string,
): Promise<Response> {
  const { handleRequest } = msw as object as Msw2
  if (!handleRequest) return new HttpResponse(body, init)
  for (const line of init.headers) {
    if (line[0].toLowerCase() !== 'set-cookie') continue
    const handler = http.all('*', () => new HttpResponse(null, { headers: [line] }))
    const stored = handleRequest(new Request(url), '', [handler], {}, { emit: () => false })
    // Browsers ignore cookies that they may not store, too (RFC 6265 §5.3).
    await stored.catch(() => undefined)
  }
  // A plain `Response`, because MSW would store the cookies of its own class again.
  return new Response(body, init)
}

/** The export of MSW 2 that MSW 3 lacks. */
interface Msw2 {
  handleRequest?(
    request: Request,
    id: string,
    handlers: HttpHandler[],
    options: object,
    emitter: { emit(): boolean },
  ): Promise<unknown>
}
