import { http, type HttpHandler, HttpResponse } from 'msw'
import type { Answerer } from '../../core/http/answerer.ts'
import { toBodyInit, toMockRequest } from '../web.ts'

/** Which requests the handlers answer. */
export interface HandlersOptions {
  /** Only requests to this origin: `https://api.example.com`. @default any */
  origin?: string
}

/**
 * Makes the MSW handlers of a mock: one, which answers whatever is the mock's and lets the rest,
 * page navigations among it, pass.
 * @example const server = setupServer(...handlers(mock))
 */
export function handlers(mock: Answerer, options: HandlersOptions = {}): HttpHandler[] {
  const origin = options.origin === undefined ? undefined : new URL(options.origin).origin
  const isOurs = ({ request }: { request: Request }): boolean => {
    if (request.mode === 'navigate') return false
    const url = new URL(request.url)
    return (origin === undefined || url.origin === origin) && mock.owns(url.pathname)
  }
  return [
    http.all(isOurs, async ({ request }) => {
      const { status, headers, body } = await mock.handle(toMockRequest(request), {
        origins: 'any',
      })
      if (status === 0) return HttpResponse.error()
      return new HttpResponse(toBodyInit(body), { status, headers })
    }),
  ]
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
