import type { JsonRecord } from '../json.ts'
import { isBehind, toCursor } from './cursor.ts'
import { embedAll, type Lookup } from './embed.ts'
import { pickFields } from './fields.ts'
import { sortRecords } from './sort.ts'
import type { Cursor, Query } from './tree.ts'
import { compileSearch, compileWhere } from './where.ts'

/** The records that a query runs over. */
export interface QuerySource {
  readonly name: string
  records(): readonly JsonRecord[]
  /** Where a record stands in the collection. */
  place(record: JsonRecord): number
}

/** What a query finds: the records of the slice, and how many there are in all. */
export interface Found {
  records: readonly JsonRecord[]
  total: number
  /** The place of the last record, where there are more behind it and the query has a slice. */
  next?: Cursor | undefined
}

/** Runs a query: filter, search, sort, slice, embed, fields, in this order. */
export function run(source: QuerySource, query: Query, lookup: Lookup): Found {
  const { where, search, sort = [], after, slice } = query
  let records = source.records()
  if (where) records = records.filter(compileWhere(where))
  if (search) records = records.filter(compileSearch(search))
  if (sort.length > 0) records = sortRecords(records, sort)
  const total = records.length
  if (after) records = records.filter((one) => isBehind(one, source.place(one), after, sort))
  const page = slice ? records.slice(slice.start, slice.end) : records
  const last = page.at(-1)
  const more = last !== undefined && slice !== undefined && slice.end < records.length
  return {
    records: present(page, query, source.name, lookup),
    total,
    next: more ? toCursor(last, source.place(last), sort) : undefined,
  }
}

/** The records as they are handed out: with what is embedded, and with only the fields asked for. */
export function present(
  records: readonly JsonRecord[],
  { embed, fields }: Pick<Query, 'embed' | 'fields'>,
  collection: string,
  lookup: Lookup,
): readonly JsonRecord[] {
  let presented = records
  if (embed && embed.length > 0) presented = embedAll(presented, embed, collection, lookup)
  if (fields) presented = presented.map((record) => pickFields(record, fields))
  return presented
}
