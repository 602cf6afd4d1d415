import { test, type TestAPI } from 'vitest'
import { MockError } from '../../core/errors/mock-error.ts'
import { type Isolatable, worldsOf } from '../../isolation/worlds.ts'
import type { IsolatedMock } from '../../isolation/isolate.ts'

/**
 * Creates a Vitest `test` that gives each test, also a concurrent one, a fork of the mock as `mock` and its
 * data as `db`. Requests of the test and its hooks, through `mock.fetch` or MSW, are answered from the fork.
 * Has to be called at the top level of a test file, or of a module that the test file imports.
 * @throws MockError with Vitest before 4.1, and in a page
 * @example
 * const test = mockTest(mock)
 * test('shows an empty list', async ({ db, expect }) => {
 *   db.posts.clear()
 *   const response = await fetch('http://localhost/api/posts')
 *   expect(await response.json()).toEqual([])
 * })
 */
export function mockTest<Mock extends Isolatable<Mock>>(mock: Mock): TestAPI<IsolatedMock<Mock>> {
  const worlds = worldsOf(mock, 'the mock of mockTest')
  const entered = new WeakSet<object>()
  const isolated = test.extend<Fixtures>({
    // oxlint-disable-next-line no-empty-pattern -- Vitest reads the needed fixtures from the pattern.
    mock: async ({}, use) => {
      const fork = worlds.current().fork()
      await use(fork)
      if (!entered.has(fork)) throw notEntered()
    },
    db: async ({ mock: fork }, use) => {
      await use((fork as Mock).db)
    },
  })
  if (!(isolated as Partial<typeof isolated>).aroundEach) throw vitestTooOld()
  // A fixture cannot enter the fork, because the async context of a fixture is lost after a hook.
  isolated.aroundEach(async (runTest, { mock: fork }: Partial<Fixtures>) => {
    // Tests of Vitest's own `test` have no fork.
    if (!fork) return runTest()
    entered.add(fork)
    await nextTurn()
    return worlds.run(fork as Mock, runTest)
  })
  return isolated as unknown as TestAPI<IsolatedMock<Mock>>
}

/** The real timer, which fake timers of a test do not replace. */
const { setImmediate: setRealImmediate } = globalThis

/** Lets the connections of the last test close: MSW 3 would reuse one, in the async context of that test. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setRealImmediate(resolve))
}

/** The fixtures in types that Vitest can infer. */
interface Fixtures {
  mock: object
  db: unknown
}

function notEntered(): MockError {
  return new MockError(
    'Failed to isolate a test: "mockTest" was called for another test file. Please call it in each test file, or keep the option "isolate" of Vitest on.',
    { code: 'NOT_ISOLATED' },
  )
}

function vitestTooOld(): MockError {
  return new MockError(
    'Failed to isolate a test: "mockTest" requires Vitest 4.1 or later. Please update Vitest, or use "isolate" from fixtura/node.',
    { code: 'VITEST_TOO_OLD' },
  )
}
