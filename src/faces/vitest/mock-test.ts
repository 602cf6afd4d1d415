import { test, type TestAPI } from 'vitest'
import { MockError } from '../../core/errors/mock-error.ts'
import { type Isolatable, worldsOf } from '../../isolation/worlds.ts'
import type { World } from '../../isolation/isolate.ts'

/**
 * Makes a `test` of Vitest that gives each test, concurrent ones too, a fork of the mock as `mock`
 * and its data as `db`. Hooks and the test are answered from the fork by the fetch and MSW faces of
 * the mock. To be called where a test file, or a module that it imports, begins.
 * @throws MockError below Vitest 4.1, and in a page
 * @example
 * const test = mockTest(mock)
 * test('deletes', async ({ db }) => { db.posts.clear() })
 */
export function mockTest<Mock extends Isolatable<Mock>>(mock: Mock): TestAPI<World<Mock>> {
  const worlds = worldsOf(mock)
  const entered = new WeakSet<object>()
  const isolated = test.extend<Fixtures>({
    // oxlint-disable-next-line no-empty-pattern -- Vitest reads from it which fixtures are needed.
    mock: async ({}, use) => {
      const fork = worlds.current().fork()
      await use(fork)
      if (!entered.has(fork)) throw notEntered()
    },
    db: async ({ mock: fork }, use) => {
      await use((fork as Mock).db)
    },
  })
  if (!(isolated as Partial<typeof isolated>).aroundEach) throw tooOld()
  // A fixture cannot do it: what it enters is left again when a hook has run before the test.
  isolated.aroundEach(async (runTest, { mock: fork }: Partial<Fixtures>) => {
    // A test that was not made by this function has no fork.
    if (!fork) return runTest()
    entered.add(fork)
    await turn()
    return worlds.run(fork as Mock, runTest)
  })
  return isolated as unknown as TestAPI<World<Mock>>
}

/** The timers of a test may be faked, those that there were before not. */
const { setImmediate: immediately } = globalThis

/**
 * Lets connections end that the test before has closed with its server: where a request comes before
 * that, MSW 3 would have it on a connection of that test's world.
 */
function turn(): Promise<void> {
  return new Promise((resolve) => void immediately(resolve))
}

/** What Vitest's types can follow of a world. */
interface Fixtures {
  mock: object
  db: unknown
}

function notEntered(): MockError {
  return new MockError(
    'Failed to isolate a test: "mockTest" ran for another file. Please call it in each test file, or keep the option "isolate" of Vitest on.',
    { code: 'NOT_ISOLATED' },
  )
}

function tooOld(): MockError {
  return new MockError(
    'Failed to isolate a test: "mockTest" takes Vitest 4.1 or later. Please update Vitest, or use "isolate" of fixtura/node.',
    { code: 'VITEST_TOO_OLD' },
  )
}
