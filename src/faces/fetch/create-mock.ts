import {
  type CoreMock,
  createCoreMock,
  type DataOf,
  type MockOptions,
  type OpenApiMockOptions,
  type PublicMock,
} from '../../core/mock/core-mock.ts'
import type { MaybePromise, MockResponse } from '../../core/http/contract/messages.ts'
import { platform } from '../web/platform.ts'
import { toMockRequest, toResponse } from '../web/web.ts'

/**
 * Creates a mock API from fixtures. The types of its records are inferred from the fixtures; give more
 * exact types for all (`createMock<{ posts: Post[] }>(...)`) or for one (`posts: posts as Post[]`).
 * @throws MockError when the configuration or the fixtures are wrong
 * @example
 * const mock = createMock({ fixtures: { posts: [{ id: 1, title: 'Hello' }] }, base: '/api' })
 * const response = await mock.fetch(new Request('http://localhost/api/posts/1'))
 */
export function createMock<Types extends object = never, Fixtures extends object = object>(
  options: MockOptions<Fixtures> | OpenApiMockOptions<Fixtures>,
): Mock<TypesOf<Types, Fixtures>> {
  return createCoreMock(options, platform, withFetch) as unknown as Mock<TypesOf<Types, Fixtures>>
}

/** A mock API: a store and a pipeline, with `fetch` as its face. */
export interface Mock<Data = Record<string, unknown>> extends PublicMock<Data>, FetchFace {
  /** A mock with the same data and rules, and with writes, ids, a clock and a log of its own. */
  fork(): Mock<Data>
}

/** The face for code that has a `Request` and needs a `Response`. */
export interface FetchFace {
  /**
   * Answers a request. Takes the arguments of the global `fetch`, also a path that begins with a slash,
   * and can replace it. Rejects with a `TypeError` when the connection is dropped, and with the reason
   * of the signal when the request is aborted.
   * @example const response = await mock.fetch('/api/posts', { method: 'POST', body: '{"title":"New"}' })
   */
  fetch(request: Request | string | URL, init?: RequestInit): Promise<Response>
}

/** The given types, otherwise the types of the fixtures. */
export type TypesOf<Types, Fixtures> = [Types] extends [never] ? DataOf<Fixtures> : Types

function withFetch(mock: CoreMock): CoreMock & FetchFace {
  return Object.assign(mock, {
    async fetch(input: Request | string | URL, init?: RequestInit): Promise<Response> {
      const request = toRequest(input, init)
      const { signal } = request
      signal.throwIfAborted()
      const handled = mock.handle(toMockRequest(request), { origins: 'any' })
      const response = convert(handled, signal)
      // `convert` also runs for an aborted request, so that a stream that the request opened is closed.
      return handled instanceof Promise ? Promise.race([untilAborted(signal), response]) : response
    },
  })
}

/** Converts the response of the mock. @throws TypeError for a dropped connection */
async function convert(
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
    // The signal may have been aborted while the request was handled.
    signal.throwIfAborted()
    signal.addEventListener('abort', () => reject(signal.reason as Error))
  })
}

/** Whether the argument is a `Request`, also one of another realm. */
function isRequest(input: Request | string | URL): input is Request {
  return typeof input === 'object' && 'headers' in input
}

function toRequest(input: Request | string | URL, init?: RequestInit): Request {
  if (isRequest(input)) return init ? new Request(input, init) : input
  const { location } = globalThis as { location?: { href: string } }
  const page = location?.href.startsWith('http') ? location.href : 'http://localhost'
  return new Request(new URL(input, page), init)
}
