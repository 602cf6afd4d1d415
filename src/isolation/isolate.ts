import { type Isolatable, worldsOf } from './worlds.ts'

/** What an isolated function works with. */
export interface World<Mock extends { readonly db: unknown }> {
  /** The fork, with rules, ids and a log of its own. */
  mock: Mock
  /** The data of the fork. */
  db: Mock['db']
}

/**
 * Makes a function that runs another in a fork of its own, which the fetch and MSW faces of the mock
 * answer from for as long as that takes; what the caller passes comes second.
 * @example test.concurrent('deletes', isolate(mock, async ({ db }) => { ... }))
 */
export function isolate<Mock extends Isolatable<Mock>, Args extends unknown[], Result>(
  mock: Mock,
  fn: (world: World<Mock>, ...args: Args) => Result,
): (...args: Args) => Result {
  const worlds = worldsOf(mock)
  // Without parameters, as test runners read from them what a test wants: fixtures, or a callback.
  return function isolated(): Result {
    const args = [...arguments] as unknown[] as Args
    const fork = worlds.current().fork()
    return worlds.run(fork, () => fn({ mock: fork, db: fork.db }, ...args))
  }
}
