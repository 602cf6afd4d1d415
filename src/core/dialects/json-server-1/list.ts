import { pluralize, singularize } from 'inflection'

import { type JsonRecord, define, ownValue, parseJson } from '../../json/json.ts'
import type { Params } from '../../url/params.ts'
import { sortBy } from '../../query/sort.ts'
import { isLess } from '../shared/js-values.ts'
import { decodeFormPair } from '../shared/decode-form-pair.ts'
import type { Data } from '../contract/dialect.ts'
import { firstNames, maxNames } from '../shared/name-limit.ts'
import { readPath, toSteps } from './path.ts'
import { compileWhere, findMissingField, parseWhere, type Where } from './where.ts'
import { addToMultimap } from '../../structures/add-to-multimap.ts'
import {
  configuredKeys,
  configuredKeyTo,
  maxNameLength,
  usualSuffix,
} from '../shared/configured-keys.ts'

/** Handles GET of a collection as json-server 1 does: embeds, filters, sorts, and makes an envelope of `_page`. */
export function listRecords(
  records: readonly JsonRecord[],
  name: string,
  search: string,
  data: Data,
): Listed {
  // Like json-server, ignores everything after a second question mark.
  const pairs = readPairs(search.slice(1).split('?', 1)[0] ?? '')
  const first = (name: string): string | undefined => pairs.find(([each]) => each === name)?.[1]
  const where =
    readWhere(first('_where')) ?? parseWhere(pairs.filter(([each]) => !reserved.has(each)))
  const all = embed(records, name, search, data)
  const found = all.filter(compileWhere(where))
  const sorted = sortRecords(found, first('_sort'))
  const page = whole(first('_page'))
  const size = Math.max(1, whole(first('_per_page')) ?? 10)
  const pages = Math.max(1, Math.ceil(sorted.length / size))
  const value = page === undefined ? sorted : paginate(sorted, page, size, pages)
  const missing = found.length === 0 && all.length > 0 ? findMissingField(where, all) : undefined
  if (missing === undefined) return { value }
  return { value, reason: `no record of "${name}" has the field "${missing}" of the filter` }
}

/** The value of a list, and the reason for the log why a filter finds nothing. */
export interface Listed {
  value: unknown
  reason?: string
}

const reserved = new Set(['_sort', '_page', '_per_page', '_embed', '_where'])

/** Adds the relations that `_embed` names to copies of records. */
export function embed(
  records: readonly JsonRecord[],
  name: string,
  search: string,
  data: Data,
): readonly JsonRecord[] {
  return firstNames(valuesOf(search, '_embed'))
    .map((related) => toRelate(related, name, data))
    .reduce((all, relate) => all.map(relate), records)
}

/** Returns all values of a parameter. */
export function valuesOf(search: string, name: string): string[] {
  return readPairs(search.slice(1)).flatMap(([each, value]) => (each === name ? [value] : []))
}

export function readPairs(query: string): Params {
  const parts = query.split('&').filter((part) => part !== '')
  return parts.map(decodeFormPair)
}

/** Parses the tree of `_where`; undefined for invalid JSON and for plain values, which are ignored. */
function readWhere(text = ''): Where | undefined {
  try {
    const tree = parseJson(text)
    if (typeof tree !== 'object' || tree === null) return undefined
    return Object.fromEntries(Object.entries(tree))
  } catch {
    return undefined
  }
}

/** Sorts by each path in turn; a minus in front of a path means descending. */
export function sortRecords(
  records: readonly JsonRecord[],
  sort: string | undefined,
  hasIndexKeys = true,
): readonly JsonRecord[] {
  if (!sort) return records
  const keys = sort.split(',', maxNames).map((each) => {
    const descending = each.startsWith('-')
    return { path: toSteps(descending ? each.slice(1) : each, hasIndexKeys), descending }
  })
  return sortBy(
    records,
    keys,
    (record, { path }) => readPath(record, path),
    (left, right, descending) => (descending ? -1 : 1) * compare(left, right),
  )
}

/** Compares in ascending order; falsy values other than 0 come last, strings compare by locale. */
function compare(left: unknown, right: unknown): number {
  if (left === right) return 0
  if (right !== 0 && !right) return -1
  if (left !== 0 && !left) return 1
  if (typeof left === 'string' && typeof right === 'string') return left.localeCompare(right)
  return isLess(left, right) ? -1 : 1
}

/** Creates the envelope of a page among `pages`; a page number out of range gives the nearest page. */
export function paginate(
  records: readonly JsonRecord[],
  requested: number,
  size: number,
  pages: number,
): unknown {
  const page = Math.max(1, Math.min(requested, pages))
  return {
    first: 1,
    prev: page > 1 ? page - 1 : null,
    next: page < pages ? page + 1 : null,
    last: pages,
    pages,
    items: records.length,
    data: records.slice((page - 1) * size, page * size),
  }
}

function whole(text: string | undefined): number | undefined {
  const number = Number.parseInt(text ?? '', 10)
  return Number.isNaN(number) ? undefined : number
}

/** Embeds the parent for a singular name, the children for a plural; an unknown name leaves the record unchanged. */
function toRelate(name: string, collection: string, data: Data): Relate {
  if (name.length > maxNameLength) return (record) => record
  const configured = configuredKeys(collection, data).find(({ alias }) => alias === name)
  const isParent = configured !== undefined || toSingular(name) === name
  const parent = configured?.parent ?? pluralize(name)
  const others = recordsOf(isParent ? parent : name, data)
  if (!others) return (record) => record
  if (!isParent) {
    const groups = groupBy(others, keyTo(collection, name, data))
    return (record) =>
      withField(record, name, groups.get(ownValue(record, data.idField(collection))) ?? [])
  }
  const key = configured?.key ?? name + (data.foreignKeySuffix ?? usualSuffix)
  const idField = data.idField(parent)
  const byId = new Map(others.map((other) => [ownValue(other, idField), other]))
  return (record) => withField(record, name, byId.get(ownValue(record, key)))
}

type Relate = (record: JsonRecord) => JsonRecord

/** Returns the field of `child` that holds ids of `parent`: `postId` for `posts`. */
export function keyTo(parent: string, child: string, data: Data): string {
  const { foreignKeySuffix = usualSuffix } = data
  return configuredKeyTo(parent, child, data) ?? toSingular(parent) + foreignKeySuffix
}

/** Returns the records of a collection; undefined for any other resource. */
export function recordsOf(name: string, data: Data): readonly JsonRecord[] | undefined {
  return data.kindOf(name) === 'collection' ? (data.read(name) as readonly JsonRecord[]) : undefined
}

function toSingular(name: string): string {
  return name.length > maxNameLength ? name : singularize(name)
}

function groupBy(records: readonly JsonRecord[], key: string): Map<unknown, JsonRecord[]> {
  const groups = new Map<unknown, JsonRecord[]>()
  for (const record of records) addToMultimap(groups, ownValue(record, key), record)
  return groups
}

function withField(record: JsonRecord, name: string, value: unknown): JsonRecord {
  const copy = { ...record }
  define(copy, name, value)
  return copy
}
