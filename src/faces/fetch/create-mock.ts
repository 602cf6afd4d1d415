import {
  type CoreMock,
  createCoreMock,
  type DataOf,
  type MockOptions,
} from '../../core/mock/core-mock.ts'
import type { MaybePromise, MockResponse } from '../../core/http/contract/messages.ts'
import { platform } from '../web/platform.ts'
import { toMockRequest, toResponse } from '../web/web.ts'

/** A mock API: one store, one pipeline, and what it can be reached by. */
export interface Mock<Data = Record<string, unknown>> extends CoreMock<Data>, FetchFace {
  /** A mock with the same data and rules, whose writes, ids, clock and log are its own. */
  fork(): Mock<Data>
}

/** The face for everything that speaks `Request` and `Response`. */
export interface FetchFace {
  /**
   * Answers a request; rejects with a `TypeError` when the connection is dropped, and with the reason
   * of its signal when it is given up. It takes what the
   * global `fetch` takes, paths beginning with a slash too, and so can stand in its place.
   */
  fetch(request: Request | string | URL, init?: RequestInit): Promise<Response>
}

/**
 * Creates a mock API from fixtures. The types of its records are those that the fixtures show: for
 * better ones, name them (`createMock<{ posts: Post[] }>(...)`), or one of them where it is handed
 * over (`fixtures: { posts: posts as Post[] }`).
 * @throws MockError when the configuration or the fixtures are wrong
 * @example
 * const mock = createMock({ fixtures: { posts: [{ id: 1, title: 'Hello' }] }, base: '/api' })
 * const response = await mock.fetch(new Request('http://localhost/api/posts/1'))
 */
export function createMock<Types extends object = never, Fixtures extends object = object>(
  options: MockOptions<Fixtures>,
): Mock<TypesOf<Types, Fixtures>> {
  return createCoreMock(options, platform, withFetch) as unknown as Mock<TypesOf<Types, Fixtures>>
}

/** The types that were named, else those of the fixtures. */
export type TypesOf<Types, Fixtures> = [Types] extends [never] ? DataOf<Fixtures> : Types

function withFetch(mock: CoreMock): CoreMock & FetchFace {
  return Object.assign(mock, {
    async fetch(request: Request | string | URL, init?: RequestInit): Promise<Response> {
      const asked = toRequest(request, init)
      const { signal } = asked
      signal.throwIfAborted()
      const handled = mock.handle(toMockRequest(asked), { origins: 'any' })
      const answered = toAnswer(handled, signal)
      // What is given up is answered all the same, so that a stream ends that it has opened.
      return handled instanceof Promise ? Promise.race([untilAborted(signal), answered]) : answered
    },
  })
}

async function toAnswer(
  handled: MaybePromise<MockResponse>,
  signal: AbortSignal,
): Promise<Response> {
  const response = await handled
  if (response.status === 0)
    throw new TypeError('Failed to fetch: the mock dropped the connection.')
  return toResponse(response, signal)
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    // It may have been while the request was handled.
    signal.throwIfAborted()
    signal.addEventListener('abort', () => reject(signal.reason as Error))
  })
}

/** A `Request` of another realm is one, too. */
function isRequest(request: Request | string | URL): request is Request {
  return typeof request === 'object' && 'headers' in request
}

function toRequest(request: Request | string | URL, init?: RequestInit): Request {
  if (isRequest(request)) return init ? new Request(request, init) : request
  const { location } = globalThis as { location?: { href: string } }
  const page = location?.href.startsWith('http') ? location.href : 'http://localhost'
  return new Request(new URL(request, page), init)
}
