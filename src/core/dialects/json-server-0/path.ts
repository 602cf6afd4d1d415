import { isRecord } from '../../json/json.ts'

/** Reads own properties as `get` of lodash does: `author.name`, `tags[0]`, or `a.b` as one key if there is one. */
export function readPath(value: unknown, path: string): unknown {
  const keys = keysOf(path, value)
  if (keys.length === 0) return undefined
  return valueAt(value, keys)
}

/** Whether a record has a value at a path, which can be null. */
export function hasPath(value: unknown, path: string): boolean {
  const keys = keysOf(path, value)
  const last = keys.at(-1)
  if (last === undefined) return false
  return has(valueAt(value, keys, keys.length - 1), last)
}

/** Returns the value at the first `count` keys of a path. */
function valueAt(value: unknown, keys: readonly string[], count: number = keys.length): unknown {
  let found = value
  for (let at = 0; at < count && found !== undefined; at++)
    found = ownProperty(found, keys[at] ?? '')
  return found
}

/** Returns the value of an own property, which includes the length and the elements of an array or a string. */
export function ownProperty(value: unknown, key: string): unknown {
  return has(value, key) ? (value as Record<string, unknown>)[key] : undefined
}

/** Whether a value has an own property; a record's non-enumerable id is hidden from clients. */
function has(value: unknown, key: string): boolean {
  if (isRecord(value)) return Object.prototype.propertyIsEnumerable.call(value, key)
  return Object.hasOwn(Object(value) as object, key)
}

/** Returns the keys of a path; the whole path is one key if the value has a property of that name. */
function keysOf(path: string, value: unknown): readonly string[] {
  return has(value, path) ? [path] : splitPath(path)
}

/** Split paths; a request reads a few paths from all records. */
const cache = new Map<string, readonly string[]>()

function splitPath(path: string): readonly string[] {
  const cached = cache.get(path)
  if (cached) return cached
  const keys = toKeys(path)
  if (cache.size > 1000) cache.clear()
  cache.set(path, keys)
  return keys
}

/** Splits a path at dots and brackets; a quoted key in brackets can contain any character. */
function toKeys(path: string): string[] {
  if (!/\.|\[[^[\]]*\]|\[(["'])(?:(?!\1)[^\\]|\\.)*\1\]/.test(path)) return [path]
  const keys: string[] = path.startsWith('.') ? [''] : []
  const parts =
    /[^.[\]]+|\[(?:-?\d+(?:\.\d+)?|(["'])((?:(?!\1)[^\\]|\\.)*)\1)\]|(?=(?:\.|\[\])(?:\.|\[\]|$))/g
  for (const [part, quote, quoted] of path.matchAll(parts)) {
    if (quote) keys.push((quoted ?? '').replaceAll(/\\(\\)?/g, '$1'))
    else keys.push(part.startsWith('[') ? part.slice(1, -1) : part)
  }
  return keys
}
