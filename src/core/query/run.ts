import { type JsonRecord, define, isRecord, type Json } from '../json/json.ts'
import { firstAt } from '../structures/lower-bound.ts'
import { isAfter, toCursor } from './cursor.ts'
import { embedAll, type Lookup } from './embed.ts'
import { type QuerySource, select, type Selection } from './select.ts'
import type { Cursor, Query, SortKey } from './tree.ts'
import type { Path } from '../json/path.ts'

/** Runs a query on a collection: filter, search, sort, slice, embed, fields, in this order. */
export function run(source: QuerySource, query: Query, lookup: Lookup): Found {
  const { sort = [], after, slice } = query
  const found = select(source, query)
  const skipped = after ? countUntil(source, found, after, sort) : 0
  const rest = found.length - skipped
  const start = skipped + (slice?.start ?? 0)
  const page = found.slice(start, Math.min(skipped + (slice?.end ?? rest), found.length))
  const last = page.at(-1)
  const hasNext = last !== undefined && slice !== undefined && slice.end < rest
  return {
    records: present(page, query, source.name, lookup),
    total: found.length,
    next: hasNext ? () => toCursor(last, source.ordinalOf(last), sort) : undefined,
  }
}

/** The records of the page, the number of all matches, and the cursor for the next page. */
interface Found {
  /** The records of the slice. */
  records: readonly JsonRecord[]
  /** The number of records before slicing. */
  total: number
  /** Creates the cursor of the last record; undefined if no record follows the slice. */
  next?: (() => Cursor) | undefined
}

/** Returns the number of records up to a cursor, by binary search, as the records are in the order of the cursor. */
function countUntil(
  source: QuerySource,
  found: Selection,
  after: Cursor,
  sort: readonly SortKey[],
): number {
  return firstAt(0, found.length, (at) => {
    const [record] = found.slice(at, at + 1)
    return record !== undefined && isAfter(record, source.ordinalOf(record), after, sort)
  })
}

/** Embeds related records, and picks the requested fields. */
export function present(
  records: readonly JsonRecord[],
  { embed, fields }: Pick<Query, 'embed' | 'fields'>,
  collection: string,
  lookup: Lookup,
): readonly JsonRecord[] {
  let presented = records
  if (embed) presented = embedAll(presented, embed, collection, lookup)
  if (fields) presented = presented.map(createPick(fields))
  return presented
}

/** Creates the copy of a record with only the values at the paths; arrays on a path keep their elements. */
function createPick(paths: readonly Path[]): (record: JsonRecord) => JsonRecord {
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
