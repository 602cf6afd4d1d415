import { type JsonRecord, ownValue } from './json.ts'

/** The path of a value inside a record, as keys: `['author', 'name']`; an index is a string: `['tags', '0']`. */
export type Path = readonly string[]

/** Returns the value at a path, or undefined; a key that is no index of an array reads from its first element. */
export function valueAt(record: JsonRecord, path: Path): unknown {
  let value: unknown = record
  for (const key of path) {
    while (Array.isArray(value) && !hasIndex(value, key)) value = value[0]
    if (typeof value !== 'object' || value === null) return undefined
    value = ownValue(value as JsonRecord, key)
  }
  return value
}

/** Whether the callback is true for any value at a path from the index `at` on; keys read from every element of arrays. */
export function someAt(
  value: unknown,
  path: Path,
  at: number,
  callback: (value: unknown) => boolean,
): boolean {
  const key = path[at]
  if (Array.isArray(value)) {
    if (key === undefined) return value.some(callback)
    if (hasIndex(value, key)) return someAt(value[Number(key)], path, at + 1, callback)
    return value.some((item) => someAt(item, path, at, callback))
  }
  if (key === undefined) return callback(value)
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return false
  return someAt((value as JsonRecord)[key], path, at + 1, callback)
}

/** Whether a key is an index of an array. The property `length` of an array is no part of its JSON. */
function hasIndex(array: readonly unknown[], key: string): boolean {
  return key !== 'length' && Object.hasOwn(array, key)
}
