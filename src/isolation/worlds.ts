import { AsyncLocalStorage } from 'node:async_hooks'
import { MockError } from '../core/errors/mock-error.ts'
import type { AnyMock } from '../core/http/contract/any-mock.ts'
import { internalsOf } from '../core/http/contract/internals.ts'

/**
 * Returns the worlds of a mock: the forks that `isolate` gives to tests. The first call makes the mock answer each
 * request from the world that the request was sent from. `subject` names the mock in messages.
 * @throws MockError for any other value, and in a page, which has no AsyncLocalStorage
 */
export function worldsOf<Mock extends Isolatable<Mock>>(mock: Mock, subject: string): Worlds<Mock> {
  const internals = internalsOf(mock, subject)
  // Bundlers for pages replace Node's modules by empty ones.
  if (typeof AsyncLocalStorage !== 'function') throw notInPage()
  const existing = storages.get(mock) as AsyncLocalStorage<Mock> | undefined
  const storage = existing ?? new AsyncLocalStorage<Mock>()
  if (!existing) {
    storages.set(mock, storage)
    internals.divert(() => storage.getStore())
  }
  return {
    current: () => storage.getStore() ?? mock,
    run: (world, fn) => storage.run(world, fn),
  }
}

/** The worlds of one mock. A world is a fork that belongs to one test. */
export interface Worlds<Mock> {
  /** Returns the world of the current async context, or the mock itself outside of worlds. */
  current(): Mock
  /** Runs a function in a world: requests from its async context are answered from that world. */
  run<Result>(world: Mock, fn: () => Result): Result
}

/** A mock that can be forked. */
export interface Isolatable<Mock> extends AnyMock {
  readonly db: unknown
  fork(): Mock
}

/** The storage of each mock, which all callers of `worldsOf` share. */
const storages = new WeakMap<object, AsyncLocalStorage<unknown>>()

function notInPage(): MockError {
  return new MockError(
    'Failed to isolate a test: isolation requires Node, and this is a page. Please use "startMock" from fixtura/browser, and call "mock.reset()" after each test.',
    { code: 'NOT_ISOLATED' },
  )
}
