/** Stands for the module `vitest` in the page: collects the tests of the example, which `runTests` runs. */
const tests: { title: string; run: () => Promise<void> }[] = []

/** Adds a test. */
export function test(title: string, run: () => Promise<void>): void {
  tests.push({ title, run })
}

/** The assertions that the example uses. */
export function expect(actual: unknown): {
  toBe(expected: unknown): void
  toEqual(expected: unknown): void
} {
  return {
    toBe(expected) {
      if (!Object.is(actual, expected)) fail(actual, expected)
    },
    toEqual(expected) {
      if (JSON.stringify(actual) !== JSON.stringify(expected)) fail(actual, expected)
    },
  }
}

function fail(actual: unknown, expected: unknown): never {
  throw new Error(`expected ${JSON.stringify(actual)} to be ${JSON.stringify(expected)}`)
}

/** The outcome of a test; `milliseconds` is its duration. */
export interface Outcome {
  title: string
  error: string | undefined
  milliseconds: number
}

/** Runs all tests, one after the other. */
export async function runTests(): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const { title, run } of tests) {
    const start = performance.now()
    const error = await run().then(
      () => undefined,
      (reason: unknown) => (reason as Error).message,
    )
    outcomes.push({ title, error, milliseconds: performance.now() - start })
  }
  return outcomes
}
