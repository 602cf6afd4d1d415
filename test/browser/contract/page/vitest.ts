// Replaces Vitest where a page loads a test file for its tables: runs no tests.

type Each = (rows: readonly unknown[]) => (title: string, run: (...row: unknown[]) => void) => void

/** Creates a value that returns itself for every call and every property, and is an empty string as text. */
export function createNothing(): unknown {
  const get = (_: unknown, name: unknown): unknown =>
    name === Symbol.toPrimitive ? () => '' : self
  const self: unknown = new Proxy(() => {}, { get, apply: () => self })
  return self
}

const each: Each = (rows) => (_title, run) => {
  for (const row of rows) run(...(Array.isArray(row) ? (row as unknown[]) : [row]))
}

/** Runs the group, which may contain tables. */
export const describe: unknown = Object.assign((_title: string, run?: () => void) => run?.(), {
  each,
  for: each,
  runIf: () => describe,
  skip: createNothing(),
  skipIf: () => describe,
})

export const afterAll: unknown = createNothing()
export const afterEach: unknown = createNothing()
export const beforeAll: unknown = createNothing()
export const beforeEach: unknown = createNothing()
export const expect: unknown = createNothing()
export const inject: unknown = createNothing()
export const it: unknown = createNothing()
export const onTestFinished: unknown = createNothing()
export const test: unknown = createNothing()
export const vi: unknown = createNothing()
