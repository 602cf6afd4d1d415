import { AsyncLocalStorage } from 'node:async_hooks'
import { MockError } from '../core/errors/mock-error.ts'
import type { Answerer } from '../core/http/contract/answerer.ts'
import type { Diversion } from '../core/http/pipeline/diversions.ts'

/** A mock that can have worlds beside its own. */
export interface Isolatable<Mock> extends Answerer {
  readonly db: unknown
  divert(choose: Diversion): () => void
  fork(): Mock
}

/** The worlds of one mock. */
export interface Worlds<Mock> {
  /** The world that the caller is in, or the mock itself. */
  current(): Mock
  /** Runs a function and all that it starts in a world, which every face of the mock answers from. */
  run<Result>(world: Mock, fn: () => Result): Result
}

const known = new WeakMap<object, AsyncLocalStorage<unknown>>()

/**
 * The worlds of a mock: from the first call on it answers in whichever the request was sent from.
 * @throws MockError in a page, where nothing follows a request
 */
export function worldsOf<Mock extends Isolatable<Mock>>(mock: Mock): Worlds<Mock> {
  // A bundler for pages puts an empty module in the place of Node's.
  if (typeof AsyncLocalStorage !== 'function') throw notHere()
  const held = known.get(mock) as AsyncLocalStorage<Mock> | undefined
  const storage = held ?? new AsyncLocalStorage<Mock>()
  if (!held) {
    known.set(mock, storage)
    mock.divert(() => storage.getStore())
  }
  return {
    current: () => storage.getStore() ?? mock,
    run: (world, fn) => storage.run(world, fn),
  }
}

function notHere(): MockError {
  return new MockError(
    'Failed to isolate a test: that takes Node, and this is a page. Please use "startMock" of fixtura/browser, and "mock.reset()" after each test.',
    { code: 'NOT_ISOLATED' },
  )
}
