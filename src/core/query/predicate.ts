import type { JsonRecord } from '../json/json.ts'
import { type Path, someAt } from '../json/path.ts'

/** Answers whether a value is one that is looked for. */
export type Test = (value: unknown) => boolean

/** Answers whether a record is one that is looked for. */
export type Predicate = (record: JsonRecord) => boolean

/**
 * Makes the predicate that holds where any value at the path passes the test. Arrays on the way and
 * at the end count by their elements; an index picks one. A missing value passes no test.
 */
export function anyAt(path: Path, test: Test): Predicate {
  const [key = ''] = path
  if (path.length === 1 && !(key in Object.prototype)) {
    return (record) => {
      const value = record[key]
      return Array.isArray(value) ? value.some(test) : value !== undefined && test(value)
    }
  }
  return (record) => someAt(record, path, 0, test)
}

/** One test of several, of which some has to hold, or every one. */
export function joinTests<T>(
  tests: readonly ((value: T) => boolean)[],
  holds: 'some' | 'every',
): (value: T) => boolean {
  const [only] = tests
  return only && tests.length === 1 ? only : (value) => tests[holds]((test) => test(value))
}
