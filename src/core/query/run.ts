import type { JsonRecord } from '../json/json.ts'
import { isBehind, toCursor } from './cursor.ts'
import { embedAll, type Lookup } from './embed.ts'
import { createPick } from './fields.ts'
import { type QuerySource, select, type Selection } from './select.ts'
import type { Cursor, Query, SortKey } from './tree.ts'

/** What a query finds: the records of the slice, and how many there are in all. */
export interface Found {
  records: readonly JsonRecord[]
  total: number
  /** Tells the place of the last record, where there are more behind it and the query has a slice. */
  next?: (() => Cursor) | undefined
}

/** Runs a query: filter, search, sort, slice, embed, fields, in this order. */
export function run(source: QuerySource, query: Query, lookup: Lookup): Found {
  const { sort = [], after, slice } = query
  const found = select(source, query)
  const left = after ? behind(source, found, after, sort) : found
  const page = left.slice(slice?.start ?? 0, slice?.end ?? left.length)
  const last = page.at(-1)
  const more = last !== undefined && slice !== undefined && slice.end < left.length
  return {
    records: present(page, query, source.name, lookup),
    total: found.length,
    next: more ? () => toCursor(last, source.place(last), sort) : undefined,
  }
}

/** What comes behind a cursor. */
function behind(
  source: QuerySource,
  found: Selection,
  after: Cursor,
  sort: readonly SortKey[],
): Selection {
  return found
    .slice(0, found.length)
    .filter((record) => isBehind(record, source.place(record), after, sort))
}

/** The records as they are handed out: with what is embedded, and with only the fields asked for. */
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
