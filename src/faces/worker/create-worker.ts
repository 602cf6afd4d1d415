import { createSessionNameOf } from '../../core/behaviours/sessions.ts'
import { isControlRequest, isPageRequest, hasToken } from '../../core/control/control.ts'
import { MockError } from '../../core/errors/mock-error.ts'
import { copyFixture, toResources } from '../../core/fixtures/fixtures.ts'
import type { Json } from '../../core/json/json.ts'
import { isSessionName } from '../../core/text/session-name.ts'
import { isWithin } from '../../core/url/base.ts'
import { controlPath } from '../../core/url/control-path.ts'
import { toMockRequest, toResponse } from '../web/web.ts'
import { callHeader, objectOf, sessionNameHeader } from './calls.ts'
import { type WorkerConfig, type WorkerOptions, toWorkerSettings } from './options.ts'
import type { DurableObjectClass, WorkerEnv } from './runtime.ts'
import { createObjectClass } from './session-object.ts'
import { toProblemResponse } from './web.ts'

/**
 * Creates a Cloudflare Worker that serves a mock: each session, named by `X-Mock-Session`, is a Durable Object
 * with its data in SQLite storage, and requests without a session share one. Every write is stored before its
 * response is sent.
 * @throws MockError when an option is wrong
 * @example
 * import posts from './fixtures/posts.json'
 * const worker = createWorker({ fixtures: { posts } })
 * export const { MockSession } = worker
 * export default worker
 */
export function createWorker(config: WorkerConfig, options: WorkerOptions = {}): MockWorker {
  const settings = toWorkerSettings(config, options)
  const { sessions, binding, tokenOf, studio } = settings
  const nameOf = createSessionNameOf(sessions.header, sessions.cookie)
  let bundled: ReadonlyMap<string, Json> | undefined
  const readBundled = (): ReadonlyMap<string, Json> =>
    (bundled ??= toResources(settings.config.fixtures as Record<string, unknown>, copyFixture))

  /** The session that a request names; empty, for the shared mock, without a name or with an invalid name. */
  function sessionOf(request: Request): string {
    const { method, url, headers } = request
    const { pathname, search } = new URL(url)
    if (isWithin(pathname, `${controlPath}/sessions`)) return ''
    const name = nameOf({ method, search, headers: Object.fromEntries(headers) })
    return isSessionName(name) ? name : ''
  }

  /** Answers with the studio, and refuses requests without the token before a session. @throws MockError 401, 403 */
  async function openPage(
    request: Request,
    token: string | undefined,
  ): Promise<Response | undefined> {
    const mockRequest = toMockRequest(request)
    if (!isControlRequest(mockRequest)) return undefined
    if (token === undefined) throw noToken()
    const isAllowed = hasToken(mockRequest, token)
    const isPage = isPageRequest(mockRequest)
    // The files of a page hold no data, and a page loads them without its token.
    const page = isAllowed || !isPage ? await studio?.(mockRequest.path) : undefined
    if (page) return toResponse(page, request.signal)
    if (!isAllowed) throw wrongToken(isPage)
    return undefined
  }

  return {
    async fetch(request, env) {
      try {
        const page = await openPage(request, tokenOf(env))
        if (page) return page
        const name = sessionOf(request)
        const headers = new Headers(request.headers)
        headers.delete(callHeader)
        headers.set(sessionNameHeader, name)
        if (name !== '') headers.delete(sessions.header)
        return await objectOf(env, binding, name).fetch(new Request(request, { headers }))
      } catch (error) {
        if (error instanceof MockError) return toProblemResponse(error)
        throw error
      }
    },
    MockSession: createObjectClass(settings, readBundled),
  }
}

/** A Cloudflare Worker: the default export of its entry, with the class of its Durable Objects. */
export interface MockWorker {
  fetch(request: Request, env: WorkerEnv): Promise<Response>
  /** The class that `wrangler.jsonc` names; the entry has to export it. */
  readonly MockSession: DurableObjectClass
}

function noToken(): MockError {
  return new MockError(
    'Failed to control the mock: the worker has no token. Please run "npx wrangler secret put MOCK_TOKEN".',
    { status: 403, code: 'TOKEN_UNSET' },
  )
}

function wrongToken(isPage: boolean): MockError {
  const message = isPage
    ? 'Failed to open the page: the token is missing or wrong. Please open it with "?token=" and the token in the URL.'
    : 'Failed to control the mock: the token is missing or wrong. Please send "Authorization: Bearer" with the secret MOCK_TOKEN of the worker, or "?token=" in the URL.'
  return new MockError(message, {
    status: 401,
    code: 'TOKEN_MISSING',
    headers: [['WWW-Authenticate', 'Bearer realm="mock"']],
  })
}
