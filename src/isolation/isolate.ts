import { isCallable, wrongValue } from '../core/errors/check.ts'
import { type Isolatable, worldsOf } from './worlds.ts'

/**
 * Wraps a function, such as a test, so that each call runs in a fork of the mock, and tests that run at the
 * same time don't share data. Requests that the call sends through `mock.fetch` or MSW are answered from the
 * fork. The function gets the fork, then the caller's arguments.
 * @throws MockError when an argument is wrong, and in a page, which has no AsyncLocalStorage
 * @example
 * test.concurrent('shows an empty list', isolate(mock, async ({ db }) => {
 *   db.posts.clear()
 *   const response = await mock.fetch('/api/posts')
 *   expect(await response.json()).toEqual([])
 * }))
 */
export function isolate<Mock extends Isolatable<Mock>, Args extends unknown[], Result>(
  mock: Mock,
  fn: (world: IsolatedMock<Mock>, ...args: Args) => Result,
): (...args: Args) => Result {
  const worlds = worldsOf(mock, 'the mock of isolate')
  if (!isCallable[0](fn)) throw wrongValue('the function of isolate', fn, isCallable[1])
  // Declares no parameters, because test runners derive from them whether a test takes fixtures or a
  // callback.
  return function isolated(): Result {
    const args = [...arguments] as unknown[] as Args
    const fork = worlds.current().fork()
    return worlds.run(fork, () => fn({ mock: fork, db: fork.db }, ...args))
  }
}

/** The fork of a mock that belongs to one test, and its data. */
export interface IsolatedMock<Mock extends { readonly db: unknown }> {
  /** The fork, which has its own data, rules, ids and log. */
  mock: Mock
  /** The data of the fork. */
  db: Mock['db']
}
