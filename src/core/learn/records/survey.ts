import { define, isSame, type JsonRecord } from '../../json/json.ts'
import type { Logins } from '../auth/find-logins.ts'
import { scalarText } from '../../json/scalar-text.ts'
import { addToMultimap } from '../../structures/add-to-multimap.ts'
import { baseName } from '../../text/foreign-keys.ts'
import { isSuccess, type ParsedExchange } from '../parse-exchange.ts'
import { findRecord } from '../recognize/envelope.ts'
import { toId, type FoundIdField, findIdField, idOf, isId } from '../recognize/ids.ts'
import {
  createExtractor,
  isExpanded,
  isPlain,
  type Extracted,
  shownRecords,
  sourceOf,
} from '../recognize/extract-records.ts'
import type { RecordedList } from '../configure/list-template.ts'
import { totalOf } from '../recognize/pages.ts'
import type { ResourcePaths, Ancestor } from '../recognize/resource-paths.ts'

/** Collects the versions of records, lists and removals of each collection, before their merge. */
export function survey(
  exchanges: readonly ParsedExchange[],
  resourcePaths: ResourcePaths,
  lists: readonly RecordedList[],
  logins?: Logins,
): Survey {
  const offsets = new Map(lists.map(({ json, offset }) => [json, offset]))
  const extract = createExtractor(exchanges, resourcePaths)
  const extracted = exchanges.map((exchange) => {
    const user = logins?.users.get(exchange)
    const isEndpoint = logins?.kinds.has(exchange) === true
    const own = isEndpoint ? undefined : extract(exchange)
    return [exchange, logins && user ? toUser(logins, user) : own] as const
  })
  const { collections, withoutId } = findCollections(extracted)
  const others: ParsedExchange[] = []
  const created = new Map<ParsedExchange, CreatedRecord>()
  for (const [exchange, own] of extracted) {
    const made = findCreated(exchange, resourcePaths, collections)
    if (made) created.set(exchange, made)
    const resourcePath = made && ({ kind: 'collection', collection: made.collection.path } as const)
    const found: Extracted | undefined = resourcePath
      ? { kind: 'written', resourcePath, record: made.record, isSent: false }
      : own
    const collection = found && collections.get(found.resourcePath.collection)
    const offset = offsets.get(exchange.json ?? null)
    if (!collection || !addExchange(collection, exchange, found, offset)) others.push(exchange)
  }
  return { collections, others, withoutId, created }
}

/** The record that an endpoint of `auth` shows; its id counts where no path of the collection names one. */
function toUser({ collection, isKnown, field }: Logins, record: JsonRecord): Extracted {
  const id = isKnown ? '' : (idOf(record) ?? scalarText(record[field]))
  const resourcePath = { kind: 'member', collection, id } as const
  return { kind: 'written', resourcePath, record, isSent: false }
}

/** Finds the record of another collection, or another record, that an action has created: `POST /orders/7/refund`. */
function findCreated(
  exchange: ParsedExchange,
  resourcePaths: ResourcePaths,
  collections: ReadonlyMap<string, SurveyedCollection>,
): CreatedRecord | undefined {
  const { method, segments, json } = exchange
  if (method !== 'POST' || !isSuccess(exchange) || resourcePaths.find(segments)) return undefined
  const member = resourcePaths.find(segments.slice(0, -1))
  if (member?.kind !== 'member') return undefined
  const own = collections.get(member.collection)
  for (const collection of own ? [own, ...collections.values()] : []) {
    const record = findRecord(json, baseName(collection.path))?.record ?? {}
    const id = idOf(record, collection.idField.name)
    const names = Object.keys(record)
    const fits = names.length > 1 && names.every((name) => collection.fields.has(name))
    if (id === undefined || !fits) continue
    if (collection === own && id === member.id) return undefined
    if (!collection.observations.has(id)) return { collection, record, id }
  }
  return undefined
}

/** A record that an action on another record has created. */
export interface CreatedRecord {
  collection: SurveyedCollection
  record: JsonRecord
  id: string
}

/** The collections whose records exchanges contain, and the exchanges without such records. */
export interface Survey {
  collections: Map<string, SurveyedCollection>
  others: ParsedExchange[]
  withoutId: string[]
  /** The records that actions have created, by exchange. */
  created: Map<ParsedExchange, CreatedRecord>
}

function findCollections(
  all: readonly (readonly [exchange: ParsedExchange, extracted: Extracted | undefined])[],
): Pick<Survey, 'collections' | 'withoutId'> {
  const evidence = new Map<string, { listed: JsonRecord[]; members: [string, JsonRecord][] }>()
  /** The names of the fields that reads show, by collection. */
  const fields = new Map<string, Set<string>>()
  for (const [{ method }, extracted] of all) {
    if (!extracted) continue
    const { collection } = extracted.resourcePath
    const { listed, members } = evidence.get(collection) ?? { listed: [], members: [] }
    evidence.set(collection, { listed, members })
    const names = fields.get(collection) ?? new Set()
    fields.set(collection, names)
    if (method === 'GET' && extracted.kind !== 'written')
      for (const one of shownRecords(extracted))
        for (const name of Object.keys(one)) names.add(name)
    if (extracted.kind === 'list') for (const record of extracted.records) listed.push(record)
    else if (extracted.kind === 'member' || (extracted.kind === 'written' && !extracted.isSent)) {
      const { resourcePath, record } = extracted
      members.push([resourcePath.kind === 'member' ? resourcePath.id : '', record])
    }
  }
  const collections = new Map<string, SurveyedCollection>()
  const withoutId: string[] = []
  const idFields = new Map(
    Array.from(evidence, ([path, { listed, members }]) => [
      path,
      listed.length + members.length === 0
        ? { name: 'id', paths: 0 }
        : findIdField({ name: baseName(path), listed, members }),
    ]),
  )
  // A house that calls the ids of one collection `ref` does so in others.
  const houseIds = [...idFields.values()].flatMap((one) =>
    one && one.paths > 1 && one.name !== 'id' ? [one.name] : [],
  )
  for (const [path, { listed }] of evidence) {
    const idField =
      idFields.get(path) ?? houseIds.map((name) => toHouseId(name, listed)).find(Boolean)
    if (!idField) withoutId.push(path)
    else {
      const notes = { observations: new Map(), lists: [], removals: new Map() }
      collections.set(path, { path, idField, fields: fields.get(path) ?? new Set(), ...notes })
    }
  }
  return { collections, withoutId }
}

/** Returns an id field of another collection, if records have it with different values. */
function toHouseId(name: string, records: readonly JsonRecord[]): FoundIdField | undefined {
  const ids = records.map((record) => idOf(record, name))
  const texts = new Set(records.map((record) => JSON.stringify(record)))
  const isId = !ids.includes(undefined) && new Set(ids).size === texts.size
  return isId && ids.length > 1 ? { name, paths: 0 } : undefined
}

/** Adds the records of an exchange to a collection. Returns false if a record lacks an id, or the id of the path. */
function addExchange(
  collection: SurveyedCollection,
  exchange: ParsedExchange,
  extracted: Extracted,
  offset: number | undefined,
): boolean {
  const { at, query } = exchange
  const idField = collection.idField.name
  if (extracted.kind === 'removed') {
    collection.removals.set(extracted.resourcePath.id, at)
    return true
  }
  const { resourcePath } = extracted
  const records = extracted.kind === 'list' ? extracted.records : [withId(extracted, idField)]
  const ids = records.flatMap(({ [idField]: id }) => (isId(id) ? [String(id)] : []))
  if (ids.length < records.length) return false
  if (extracted.kind === 'member' && ids[0] !== extracted.resourcePath.id) return false
  // An endpoint of `auth` shows other fields than the path of a record.
  const isUser = extracted.kind === 'written' && exchange.method === 'GET'
  const common = {
    at,
    source: isUser ? exchange.path : sourceOf(exchange, resourcePath),
    isExpanded: isExpanded(query),
    isSent: extracted.kind === 'written' && extracted.isSent,
    parent: resourcePath.parent,
  }
  for (const [index, record] of records.entries()) {
    addToMultimap(collection.observations, ids[index] ?? '', { ...common, record })
  }
  if (extracted.kind === 'list') {
    collection.lists.push({
      at,
      ids,
      offset,
      isPlain: isPlain(query),
      total: totalOf(exchange, records.length),
      parent: resourcePath.parent,
    })
  }
  return true
}

/** A record from the body of a request gets the id of the path or of `Location`. */
function withId(extracted: Extracted & { record: JsonRecord }, idField: string): JsonRecord {
  const { record } = extracted
  if (!('id' in extracted) || extracted.id === undefined || isId(record[idField])) return record
  const copy: JsonRecord = {}
  define(copy, idField, toId(extracted.id))
  return { ...copy, ...record }
}

/** Whether the records of one id under different parents are different records. */
export function hasLocalIds({ observations }: Pick<SurveyedCollection, 'observations'>): boolean {
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

/** A version of a record: the record as one exchange shows it. */
export interface Observation {
  at: number
  record: JsonRecord
  /** Exchanges of one kind show the same fields, so that a field the latest lacks is gone. */
  source: string
  /** Whether the exchange embeds other records, which are no part of the record. */
  isExpanded: boolean
  /** Whether the record is the body of a request, because the response has none. */
  isSent?: boolean
  parent?: Ancestor | undefined
}

/** A list as one exchange shows it. */
export interface ListNote {
  at: number
  ids: string[]
  /** The index of the first record in the whole list; undefined if the request does not determine it. */
  offset: number | undefined
  /** Whether the request has no filter, search or sort, so that the list is in the order of the collection. */
  isPlain: boolean
  total: number | undefined
  parent?: Ancestor | undefined
}

/** A collection with its id field, and what all exchanges show of the collection. */
export interface SurveyedCollection {
  /** The full path: `api/v1/posts`. */
  path: string
  idField: FoundIdField
  /** The names of the fields that reads show. */
  fields: ReadonlySet<string>
  /** By id as text. */
  observations: Map<string, Observation[]>
  lists: ListNote[]
  removals: Map<string, number>
}
