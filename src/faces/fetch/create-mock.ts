import {
  type CoreMock,
  createCoreMock,
  type DataOf,
  type Forkable,
  type MockOptions,
} from '../../core/mock.ts'
import { platform } from '../platform.ts'
import { toMockRequest, toResponse } from '../web.ts'

/** A mock API: one store, one pipeline, and what it can be reached by. */
export type Mock<Data = Record<string, unknown>> = Forkable<CoreMock<Data> & FetchFace>

/** The face for everything that speaks `Request` and `Response`. */
export interface FetchFace {
  /** Answers a request; rejects with a `TypeError` when the connection is dropped. */
  fetch(request: Request): Promise<Response>
}

/**
 * Creates a mock API from fixtures.
 * @throws MockError when the configuration or the fixtures are wrong
 * @example
 * const mock = createMock({ fixtures: { posts: [{ id: 1, title: 'Hello' }] }, base: '/api' })
 * const response = await mock.fetch(new Request('http://localhost/api/posts/1'))
 */
export function createMock<const Fixtures extends object>(
  options: MockOptions<Fixtures>,
): Mock<DataOf<Fixtures>> {
  return createCoreMock(options, platform, withFetch) as Mock<DataOf<Fixtures>>
}

function withFetch(mock: CoreMock): CoreMock & FetchFace {
  return Object.assign(mock, {
    async fetch(request: Request): Promise<Response> {
      const response = await mock.handle(toMockRequest(request), { origins: 'any' })
      if (response.status === 0)
        throw new TypeError('Failed to fetch: the mock dropped the connection.')
      return toResponse(response)
    },
  })
}
