import { isRecord } from '../../json/json.ts'

/** The value that a path such as `author.name`, `tags[0]` or `a.b` as one key leads to in a record. */
export function readPath(value: unknown, path: string): unknown {
  const keys = keysOf(path, value)
  if (keys.length === 0) return undefined
  return follow(value, keys)
}

/** Whether a path leads to something in a record, be it null. */
export function hasPath(value: unknown, path: string): boolean {
  const keys = keysOf(path, value)
  const last = keys.at(-1)
  if (last === undefined) return false
  return has(follow(value, keys, keys.length - 1), last)
}

/** What the first keys of a path lead to. */
function follow(value: unknown, keys: readonly string[], count: number = keys.length): unknown {
  let found = value
  for (let at = 0; at < count && found !== undefined; at++) found = own(found, keys[at] ?? '')
  return found
}

/** The value of an own property: of an array or a text also its length and its elements. */
export function own(value: unknown, key: string): unknown {
  return has(value, key) ? (value as Record<string, unknown>)[key] : undefined
}

/** A record has what a client sees of it: an id that is not enumerable is none. */
function has(value: unknown, key: string): boolean {
  if (isRecord(value)) return Object.prototype.propertyIsEnumerable.call(value, key)
  return Object.hasOwn(Object(value) as object, key)
}

/** A path is one key where the value has such a key, and where there is nothing to split. */
function keysOf(path: string, value: unknown): readonly string[] {
  return has(value, path) ? [path] : splitPath(path)
}

/** Paths that were split before: a question has a few for all records. */
const known = new Map<string, readonly string[]>()

function splitPath(path: string): readonly string[] {
  const held = known.get(path)
  if (held) return held
  const keys = toKeys(path)
  if (known.size > 1000) known.clear()
  known.set(path, keys)
  return keys
}

/** Splits at dots and brackets; quotation marks in brackets may hold any text. */
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
