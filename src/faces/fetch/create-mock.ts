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
    async fetch(request: Request): Promise<Response> {
      const response = await mock.handle(toMockRequest(request), { origins: 'any' })
      if (response.status === 0)
        throw new TypeError('Failed to fetch: the mock dropped the connection.')
      return toResponse(response)
    },
  })
}
