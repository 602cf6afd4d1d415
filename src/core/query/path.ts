import type { JsonRecord } from '../json.ts'

/** The keys that lead to a value inside a record: `['author', 'name']`. */
export type Path = readonly string[]

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
  return (record) => reach(record, path, 0, test)
}

function reach(value: unknown, path: Path, at: number, test: Test): boolean {
  const key = path[at]
  if (Array.isArray(value)) {
    if (key === undefined) return value.some(test)
    if (Object.hasOwn(value, key) && key !== 'length')
      return reach(value[Number(key)], path, at + 1, test)
    return value.some((item) => reach(item, path, at, test))
  }
  if (key === undefined) return test(value)
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return false
  return reach((value as JsonRecord)[key], path, at + 1, test)
}

/** The value at the path, or undefined; an array on the way counts by its first element. */
export function valueAt(record: unknown, path: Path): unknown {
  let value = record
  for (const key of path) {
    if (Array.isArray(value) && !Object.hasOwn(value, key)) value = value[0]
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}
