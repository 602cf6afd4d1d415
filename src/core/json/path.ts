import type { JsonRecord } from './json.ts'

/**
 * The path of a value inside a record, as a list of keys: `['author', 'name']`. The index of an array
 * is a string: `['tags', '0']`.
 */
export type Path = readonly string[]

/** The value at a path, or undefined; the path continues in the first element of an array. */
export function valueAt(record: JsonRecord, path: Path): unknown {
  let value: unknown = record
  for (const key of path) {
    if (Array.isArray(value) && !Object.hasOwn(value, key)) value = value[0]
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as JsonRecord)[key]
  }
  return value
}

/**
 * Whether the callback returns true for any value at a path, from the key at index `at`. The path
 * continues in every element of an array.
 */
export function someAt(
  value: unknown,
  path: Path,
  at: number,
  callback: (value: unknown) => boolean,
): boolean {
  const key = path[at]
  if (Array.isArray(value)) {
    if (key === undefined) return value.some(callback)
    if (Object.hasOwn(value, key) && key !== 'length') {
      return someAt(value[Number(key)], path, at + 1, callback)
    }
    return value.some((item) => someAt(item, path, at, callback))
  }
  if (key === undefined) return callback(value)
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return false
  return someAt((value as JsonRecord)[key], path, at + 1, callback)
}
