import { checkOptions } from '../../core/errors/check.ts'
import type { Answerer } from '../../core/http/contract/answerer.ts'
import type { AnyMock } from '../../core/http/contract/any-mock.ts'
import { internalsOf } from '../../core/http/contract/internals.ts'
import { headerOf, type MockResponse } from '../../core/http/contract/messages.ts'
import { isOrigin, splitUrl, toMockRequest, toResponse } from '../web/web.ts'

/**
 * Answers the requests of a browser context or a page from a fork of the mock. All pages of a context share
 * the fork, which is returned. Page navigations and requests that the mock does not own pass through. A
 * stream is sent when it ends; an event stream that does not end gets 501 and a warning.
 * @throws MockError when an option is invalid
 * @example
 * const { db } = await mockRoute(context, mock)
 * db.posts.clear()
 * await page.goto('/')
 */
export async function mockRoute<Mock extends Forkable<Mock>>(
  target: Routable & { context?(): object },
  mock: Mock,
  options: MockRouteOptions = {},
): Promise<Mock> {
  checkOptions('the options of mockRoute', options, { origin: isOrigin })
  const origin = options.origin === undefined ? undefined : new URL(options.origin).origin
  internalsOf(mock, 'the mock of mockRoute')
  const fork = forkFor(target.context?.() ?? target, mock)
  const answerer = internalsOf(fork)
  await target.route(
    ({ origin: sent, pathname, search }) =>
      (origin === undefined || sent === origin) && answerer.owns(pathname, search),
    (route) => answer(route, answerer).catch(ignoreClosedPage),
  )
  return fork
}

/** A mock that `mockRoute` can fork, so that each Playwright browser context has data of its own. */
export interface Forkable<Mock> extends AnyMock {
  fork(): Mock
}

/** The part of Playwright's `BrowserContext` and `Page` that `mockRoute` uses. */
export interface Routable {
  route(url: (url: URL) => boolean, handler: (route: PlaywrightRoute) => unknown): Promise<unknown>
}

/** The part of Playwright's `Route` that `mockRoute` uses. */
export interface PlaywrightRoute {
  request(): PlaywrightRequest
  fulfill(response: {
    status: number
    headers: Record<string, string>
    body: Buffer
  }): Promise<void>
  abort(errorCode?: string): Promise<void>
  fallback(): Promise<void>
}

/** The part of Playwright's `Request` that `mockRoute` uses. */
export interface PlaywrightRequest {
  url(): string
  method(): string
  allHeaders(): Promise<Record<string, string>>
  postDataBuffer(): Buffer | null
  isNavigationRequest(): boolean
}

/** The options of `mockRoute`. */
export interface MockRouteOptions {
  /** Answers only requests to this origin: `https://api.example.com`. @default any */
  origin?: string
}

/** The forks by context and mock. */
const forks = new WeakMap<object, WeakMap<object, unknown>>()

function forkFor<Mock extends Forkable<Mock>>(context: object, mock: Mock): Mock {
  const existing = forks.get(context) ?? new WeakMap<object, unknown>()
  forks.set(context, existing)
  const fork = (existing.get(mock) as Mock | undefined) ?? mock.fork()
  existing.set(mock, fork)
  return fork
}

async function answer(route: PlaywrightRoute, mock: Answerer): Promise<void> {
  const request = route.request()
  if (request.isNavigationRequest()) return route.fallback()
  const headers = await request.allHeaders()
  const body = request.postDataBuffer()
  const fetchRequest = new Request(request.url(), {
    method: request.method(),
    headers,
    body: body && new Uint8Array(body),
  })
  const response = await mock.handle(toMockRequest(fetchRequest), { origins: 'any' })
  if (response.status === 0) return route.abort('connectionreset')
  const { path } = splitUrl(request.url())
  const fulfilment = await toFulfilment(response, path).catch(() => undefined)
  // A response that fails midway cannot be sent in part, so the request is aborted.
  return fulfilment ? route.fulfill(fulfilment) : route.abort('connectionreset')
}

function ignoreClosedPage(error: unknown): void {
  if (!String(error).includes('closed')) throw error
}

/** Converts a response. Playwright takes one value per header, and several cookies as lines of one value. */
async function toFulfilment(
  response: MockResponse,
  path: string,
): Promise<Parameters<PlaywrightRoute['fulfill']>[0]> {
  const headers: Record<string, string> = {}
  for (const [name, value] of response.headers) {
    const separator = name.toLowerCase() === 'set-cookie' ? '\n' : ', '
    headers[name] = name in headers ? headers[name] + separator + value : value
  }
  const body = await readBody(response)
  if (body) return { status: response.status, headers, body }
  const detail = `Failed to answer "${path}": its event stream did not end within ${streamTimeout / 1000} seconds, and Playwright can only send complete responses. Please test it with Vite's server mode or with "mock server".`
  console.warn(detail)
  headers['Content-Type'] = 'application/problem+json'
  const problem = { type: 'about:blank', title: 'Not Implemented', status: 501, detail }
  return { status: 501, headers, body: Buffer.from(JSON.stringify(problem)) }
}

/** Reads the complete body; undefined for an event stream (HTML §9.2) that does not end in time. */
async function readBody(response: MockResponse): Promise<Buffer | undefined> {
  const isEvents = headerOf(response.headers, 'content-type')?.startsWith('text/event-stream')
  const timeout = new AbortController()
  const timer = isEvents ? setTimeout(() => timeout.abort(), streamTimeout) : undefined
  try {
    return Buffer.from(await toResponse(response, timeout.signal).arrayBuffer())
  } catch (error) {
    if (timeout.signal.aborted) return undefined
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** The time for an event stream to end, in milliseconds. */
const streamTimeout = 5000
