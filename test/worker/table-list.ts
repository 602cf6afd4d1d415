/** Keeps the tables of `test/contract` in a program of its own: what their files import in place of Vitest. */
import type { Mock, MockOptions } from '../../src/index.ts'

/** The options of a table's mock. */
export type TableOptions = MockOptions<Record<string, unknown>>

const creators = new Map<string, () => Mock | TableOptions>()

/** Creates the function that keeps the tables of a file. */
export function contractOf(file: string) {
  return (title: string, create: () => Mock | TableOptions): void => {
    creators.set(title, create)
    creators.set(`${file} ${title}`, create)
  }
}

/** Runs a group of tests, for the tables in it; options may come before the function. */
const runGroup = (...given: unknown[]): void => {
  for (const one of given) if (typeof one === 'function') (one as () => void)()
}

/** The `describe` of the tables. */
export const describe = Object.assign(runGroup, {
  each: (rows: unknown[]) => (_: string, run: (...row: unknown[]) => void) => {
    for (const row of rows) run(...(Array.isArray(row) ? row : [row]))
  },
  skipIf: () => runGroup,
  runIf: () => runGroup,
})

/** A function and an object whose members are itself, in place of what tables do not need. */
export const anything: unknown = new Proxy(() => undefined, {
  get(_, name) {
    // Without `then`, so that it is no promise.
    if (name === 'then') return undefined
    return name === Symbol.toPrimitive ? () => 0 : anything
  },
  apply: () => anything,
  construct: () => anything as object,
})

/** Creates the mock of a table: `lists.test.ts a page`. A file can run the tables of others, too. */
export function createTable(name: string): Mock | TableOptions {
  const create = creators.get(name) ?? creators.get(name.slice(name.indexOf(' ') + 1))
  if (create) return create()
  throw new Error(`There is no table "${name}".`)
}
