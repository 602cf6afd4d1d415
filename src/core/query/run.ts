import type { JsonRecord } from '../json/json.ts'
import { isAfter, toCursor } from './cursor.ts'
import { embedAll, type Lookup } from './embed.ts'
import { createPick } from './fields.ts'
import { type QuerySource, select, type Selection } from './select.ts'
import type { Cursor, Query, SortKey } from './tree.ts'

/**
 * The result of a query of a collection: the records of the requested page, the number of all records that
 * match, and the cursor for the next page.
 */
export interface Found {
  /** The records of the slice. */
  records: readonly JsonRecord[]
  /** The number of records before slicing. */
  total: number
  /** Creates the cursor of the last record; undefined if no record follows the slice. */
  next?: (() => Cursor) | undefined
}

/** Runs a query: filter, search, sort, slice, embed, fields, in this order. */
export function run(source: QuerySource, query: Query, lookup: Lookup): Found {
  const { sort = [], after, slice } = query
  const found = select(source, query)
  const rest = after ? selectAfter(source, found, after, sort) : found
  const page = rest.slice(slice?.start ?? 0, slice?.end ?? rest.length)
  const last = page.at(-1)
  const hasNext = last !== undefined && slice !== undefined && slice.end < rest.length
  return {
    records: present(page, query, source.name, lookup),
    total: found.length,
    next: hasNext ? () => toCursor(last, source.ordinalOf(last), sort) : undefined,
  }
}

/** The records after a cursor. */
function selectAfter(
  source: QuerySource,
  found: Selection,
  after: Cursor,
  sort: readonly SortKey[],
): Selection {
  return found
    .slice(0, found.length)
    .filter((record) => isAfter(record, source.ordinalOf(record), after, sort))
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
