import { checkOptions } from '../../core/errors/check.ts'
import type { Answerer } from '../../core/http/contract/answerer.ts'
import { headerOf, type MockResponse } from '../../core/http/contract/messages.ts'
import { isOrigin, splitUrl, toMockRequest, toResponse } from '../web/web.ts'

/** A mock that can have worlds beside its own. */
export interface Forkable<Mock> extends Answerer {
  fork(): Mock
}

/** What is needed of a `BrowserContext` or a `Page` of Playwright. */
export interface Routable {
  route(url: (url: URL) => boolean, handler: (route: PlaywrightRoute) => unknown): Promise<unknown>
}

/** What is needed of a `Route` of Playwright. */
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

/** What is needed of a `Request` of Playwright. */
export interface PlaywrightRequest {
  url(): string
  method(): string
  allHeaders(): Promise<Record<string, string>>
  postDataBuffer(): Buffer | null
  isNavigationRequest(): boolean
}

/** Which requests are answered. */
export interface MockRouteOptions {
  /** Only requests to this origin: `https://api.example.com`. @default any */
  origin?: string
}

/**
 * Answers a browser context's requests, or a page's, from a fork of the mock, the same for all of one
 * context. What is not the mock's, page navigations among it, passes. A stream is sent when it ends; events that
 * go on are 501 with a warning.
 * @throws MockError when an option is wrong
 * @example
 * const { db } = await mockRoute(context, mock)
 * db.posts.clear()
 */
export async function mockRoute<Mock extends Forkable<Mock>>(
  target: Routable & { context?(): object },
  mock: Mock,
  options: MockRouteOptions = {},
): Promise<Mock> {
  checkOptions('the options of mockRoute', options, { origin: isOrigin })
  const origin = options.origin === undefined ? undefined : new URL(options.origin).origin
  const fork = forkFor(target.context?.() ?? target, mock)
  await target.route(
    (url) => (origin === undefined || url.origin === origin) && fork.owns(url.pathname),
    (route) => answer(route, fork).catch(unlessClosed),
  )
  return fork
}

/** The fork that each context has of a mock. */
const forks = new WeakMap<object, WeakMap<object, unknown>>()

function forkFor<Mock extends Forkable<Mock>>(context: object, mock: Mock): Mock {
  const known = forks.get(context) ?? new WeakMap<object, unknown>()
  forks.set(context, known)
  const fork = (known.get(mock) as Mock | undefined) ?? mock.fork()
  known.set(mock, fork)
  return fork
}

async function answer(route: PlaywrightRoute, mock: Answerer): Promise<void> {
  const request = route.request()
  if (request.isNavigationRequest()) return route.fallback()
  const headers = await request.allHeaders()
  const body = request.postDataBuffer()
  const asked = new Request(request.url(), {
    method: request.method(),
    headers,
    body: body && new Uint8Array(body),
  })
  const response = await mock.handle(toMockRequest(asked), { origins: 'any' })
  if (response.status === 0) return route.abort('connectionreset')
  const { path } = splitUrl(request.url())
  const fulfilment = await toFulfilment(response, path).catch(() => undefined)
  // What breaks off midway has no answer, either.
  return fulfilment ? route.fulfill(fulfilment) : route.abort('connectionreset')
}

/** A page may be closed before its requests are answered. */
function unlessClosed(error: unknown): void {
  if (!String(error).includes('closed')) throw error
}

/** Playwright takes one value for each name, and several cookies as lines of it. */
async function toFulfilment(
  response: MockResponse,
  path: string,
): Promise<Parameters<PlaywrightRoute['fulfill']>[0]> {
  const headers: Record<string, string> = {}
  for (const [name, value] of response.headers) {
    const separator = name.toLowerCase() === 'set-cookie' ? '\n' : ', '
    headers[name] = name in headers ? headers[name] + separator + value : value
  }
  const body = await readWhole(response)
  if (body) return { status: response.status, headers, body }
  const detail = `Failed to answer "${path}": its events do not end within ${patience / 1000} seconds, and Playwright answers in one piece. Please test it with Vite's server mode, or with "mock server".`
  console.warn(detail)
  headers['Content-Type'] = 'application/problem+json'
  const problem = { type: 'about:blank', title: 'Not Implemented', status: 501, detail }
  return { status: 501, headers, body: Buffer.from(JSON.stringify(problem)) }
}

/** The whole body; undefined for events that go on (HTML §9.2), of which there may always be another. */
async function readWhole(response: MockResponse): Promise<Buffer | undefined> {
  const isEvents = headerOf(response.headers, 'content-type')?.startsWith('text/event-stream')
  const late = new AbortController()
  const timer = isEvents ? setTimeout(() => late.abort(), patience) : undefined
  try {
    const whole = toResponse(response, late.signal)
    return Buffer.from(await whole.arrayBuffer())
  } catch (error) {
    if (late.signal.aborted) return undefined
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** How long events may take to end, in milliseconds. */
const patience = 5000
