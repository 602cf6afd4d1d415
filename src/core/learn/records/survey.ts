import { define, isSame, type JsonRecord } from '../../json/json.ts'
import { addToMultimap } from '../../structures/add-to-multimap.ts'
import { baseName } from '../../text/foreign-keys.ts'
import type { ParsedExchange } from '../parse/parsed-exchange.ts'
import { type FoundIdField, findIdField, isId } from '../recognize/id-field.ts'
import { toId } from '../recognize/hypermedia.ts'
import { numberOf } from '../recognize/parameters.ts'
import type { ResourcePaths } from '../recognize/resource-paths.ts'
import {
  createShow,
  isExpanded,
  isPlain,
  offsetOf,
  type PageRules,
  type Shown,
  sourceOf,
} from '../recognize/extract-records.ts'
import { totalOf } from '../recognize/totals.ts'
import type { CollectionNotes } from './observation.ts'

/** A collection with everything that exchanges have shown of it. */
export interface SurveyedCollection extends CollectionNotes {
  idField: FoundIdField
}

/** The collections whose records exchanges contain, and the exchanges without such records. */
export interface Survey {
  collections: Map<string, SurveyedCollection>
  others: ParsedExchange[]
  /** The collections whose records have no id. */
  withoutId: string[]
}

/** Collects the records of each collection from exchanges, which are sorted by time. */
export function survey(exchanges: readonly ParsedExchange[], resourcePaths: ResourcePaths): Survey {
  const show = createShow(exchanges, resourcePaths)
  const shown = exchanges.map((exchange) => [exchange, show(exchange)] as const)
  const { collections, withoutId } = findCollections(shown)
  const first = exchanges.some(({ query }) => query.some(isPageZero)) ? 0 : 1
  const sizes = toPageSizes(shown)
  const others = shown.flatMap(([exchange, what]) => {
    const collection = what && collections.get(what.resourcePath.collection)
    return collection &&
      note(collection, exchange, what, {
        first,
        size: sizes.get(collection.path) ?? 0,
      })
      ? []
      : [exchange]
  })
  return { collections, others, withoutId }
}

function isPageZero([name, value]: readonly [string, string]): boolean {
  return value === '0' && /page/i.test(name) && !/size|per|limit/i.test(name)
}

/** The default page size by collection: the most records in a list that was requested without a size. */
function toPageSizes(all: readonly ShownExchange[]): Map<string, number> {
  const sizes = new Map<string, number>()
  for (const [{ query }, shown] of all) {
    if (shown?.kind !== 'list' || numberOf(query, 'limit') !== undefined) continue
    const { collection } = shown.resourcePath
    sizes.set(collection, Math.max(sizes.get(collection) ?? 0, shown.records.length))
  }
  return sizes
}

type ShownExchange = readonly [exchange: ParsedExchange, shown: Shown | undefined]

/** The collections whose records have ids. */
function findCollections(all: readonly ShownExchange[]): Pick<Survey, 'collections' | 'withoutId'> {
  const evidence = new Map<string, { listed: JsonRecord[]; members: [string, JsonRecord][] }>()
  for (const [, shown] of all) {
    if (!shown) continue
    const { collection } = shown.resourcePath
    const one = evidence.get(collection) ?? { listed: [], members: [] }
    evidence.set(collection, one)
    if (shown.kind === 'list') one.listed.push(...shown.records)
    else if (shown.kind === 'member') one.members.push([shown.resourcePath.id, shown.record])
    else if (shown.kind === 'written' && !shown.isSent) {
      if (shown.resourcePath.kind === 'member')
        one.members.push([shown.resourcePath.id, shown.record])
      else one.members.push(['', shown.record])
    }
  }
  const collections = new Map<string, SurveyedCollection>()
  const withoutId: string[] = []
  for (const [path, { listed, members }] of evidence) {
    const isEmpty = listed.length + members.length === 0
    const idField = isEmpty
      ? { name: 'id', paths: 0 }
      : findIdField({ name: baseName(path), listed, members })
    if (!idField) withoutId.push(path)
    else {
      const notes = { observations: new Map(), lists: [], removals: new Map() }
      collections.set(path, { path, idField, ...notes })
    }
  }
  return { collections, withoutId }
}

/** Adds the records of an exchange to a collection. Returns false if a record lacks an id, or the id of the path. */
function note(
  collection: SurveyedCollection,
  exchange: ParsedExchange,
  shown: Shown,
  pages: PageRules,
): boolean {
  const { at, query } = exchange
  const { resourcePath } = shown
  const idField = collection.idField.name
  if (shown.kind === 'removed') {
    collection.removals.set(resourcePath.kind === 'member' ? resourcePath.id : '', at)
    return true
  }
  const records = shown.kind === 'list' ? shown.records : [withId(shown, idField)]
  const ids = records.flatMap(({ [idField]: id }) => (isId(id) ? [String(id)] : []))
  if (ids.length < records.length) return false
  if (shown.kind === 'member' && ids[0] !== shown.resourcePath.id) return false
  const source = sourceOf(exchange, resourcePath)
  for (const [index, record] of records.entries()) {
    addToMultimap(collection.observations, ids[index] ?? '', {
      at,
      record,
      source,
      isExpanded: isExpanded(query),
      isSent: shown.kind === 'written' && shown.isSent,
      parent: resourcePath.parent,
    })
  }
  if (shown.kind === 'list') {
    collection.lists.push({
      at,
      ids,
      offset: offsetOf(query, pages),
      isPlain: isPlain(query),
      total: totalOf(exchange, records.length),
      parent: resourcePath.parent,
    })
  }
  return true
}

/** The record of a write; one that was only sent gets the id that the path or `Location` has. */
function withId(shown: Shown & { record: JsonRecord }, idField: string): JsonRecord {
  const { record } = shown
  if (!('id' in shown) || shown.id === undefined || isId(record[idField])) return record
  const copy: JsonRecord = {}
  define(copy, idField, toId(shown.id))
  return { ...copy, ...record }
}

/** Whether the records of one id under different parents are different records. */
export function hasLocalIds({ observations }: CollectionNotes): boolean {
  return [...observations.values()].some((all) => {
    const latest = new Map(
      all.flatMap(({ parent, record }) => (parent ? [[parent.id, record]] : [])),
    )
    const [first, ...others] = latest.values()
    return others.some((other) => first && !agrees(first, other))
  })
}

function agrees(left: JsonRecord, right: JsonRecord): boolean {
  return Object.entries(left).every(
    ([key, value]) => !Object.hasOwn(right, key) || isSame(value, right[key]),
  )
}
