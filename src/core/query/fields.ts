import { define, isRecord, type Json, type JsonRecord } from '../json/json.ts'
import type { Path } from '../json/path.ts'

/**
 * Creates the function that reduces a record to the fields a query requests: a copy with only the values at
 * the paths. A path through an array applies to each element of the array.
 */
export function createPick(paths: readonly Path[]): (record: JsonRecord) => JsonRecord {
  const tree = toTree(paths)
  return (record) => pick(record, tree) as JsonRecord
}

/** Which part of a value is picked: the whole value, or the values of some keys. */
interface FieldTree {
  isWhole?: boolean
  keys: Map<string, FieldTree>
}

/** Merges the paths into a tree, so that repeated and common parts are picked once. */
function toTree(paths: readonly Path[]): FieldTree {
  const root: FieldTree = { keys: new Map() }
  for (const path of paths) {
    let node = root
    for (const key of path) {
      const inner = node.keys.get(key) ?? { keys: new Map() }
      node.keys.set(key, inner)
      node = inner
    }
    node.isWhole = true
  }
  return root
}

function pick(value: Json, tree: FieldTree): Json {
  const { isWhole, keys } = tree
  if (isWhole) return value
  if (Array.isArray(value)) return value.map((item) => pick(item, tree))
  if (!isRecord(value)) return value
  const picked: JsonRecord = {}
  const own = Object.keys(value)
  // The shorter list of keys is iterated.
  for (const key of own.length < keys.size ? own : keys.keys()) {
    const inner = keys.get(key)
    if (inner && Object.hasOwn(value, key)) define(picked, key, pick(value[key] ?? null, inner))
  }
  return picked
}
