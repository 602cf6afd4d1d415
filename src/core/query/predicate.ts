import type { JsonRecord } from '../json/json.ts'
import { type Path, someAt } from '../json/path.ts'

/**
 * A function that returns whether a record meets the conditions of a query. `compileWhere` creates a predicate
 * from a filter.
 */
export type Predicate = (record: JsonRecord) => boolean

/** A function that returns whether one value of a record meets the condition of a filter. */
export type Test = (value: unknown) => boolean

/**
 * Creates the predicate that any value at a path of a record passes a test. An array on the path or at its end
 * is tested by its elements; an index picks one element. A missing value passes no test.
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

/** Joins tests, of which some or every one has to pass. */
export function joinTests<T>(
  tests: readonly ((value: T) => boolean)[],
  holds: 'some' | 'every',
): (value: T) => boolean {
  const [only] = tests
  return only && tests.length === 1 ? only : (value) => tests[holds]((test) => test(value))
}
