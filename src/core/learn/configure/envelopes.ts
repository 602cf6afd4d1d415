import { singularName } from '../../dialects/rest-names/variables.ts'
import { isRecord, isSame, type Json, type JsonRecord } from '../../json/json.ts'
import { addToMultimap } from '../../structures/add-to-multimap.ts'
import { type ParsedExchange, isSuccess } from '../parse-exchange.ts'
import { contextKey, findRecord } from '../recognize/envelope.ts'
import { isId } from '../recognize/ids.ts'
import { roleOf } from '../recognize/parameters.ts'
import type { ResourcePath, ResourcePaths } from '../recognize/resource-paths.ts'
import { mostFrequent, pathOf, type RecordedList, toLists, toTemplate } from './list-template.ts'
import { toWriteTemplate } from './write-template.ts'
import {
  escapeTemplate,
  type TextSample,
  toLiteral,
  toRequestFacts,
  toTextTemplate,
} from './text-template.ts'

/** Learns the envelopes of lists, single records and writes, with evidence in `details`. */
export function toEnvelopes(groups: ExchangeGroups, details: Record<string, string>): Envelopes {
  const envelopes: Envelopes = toListEnvelopes(groups.lists, details)
  const key = mostFrequent(toRecordKeys(groups.members))?.[0]
  const members = groups.members.filter(({ json }) => isRecord(json))
  const record = key ? toRecordTemplate(members, key) : toContextTemplate(members)
  if (record !== undefined) {
    envelopes['record'] = record
    details['record'] = `${members.length} records have this envelope`
  }
  const statuses: Record<string, number> = {}
  for (const [option, methods, full, empty] of writeOptions) {
    const writes = groups.writes.filter(({ method }) => methods.includes(method))
    const template = toWriteTemplate(writes)
    const status = toStatus(writes, template)
    if (status !== undefined && status !== (template === null ? empty : full)) {
      statuses[option] = status
    }
    if (template === undefined || isSame(template, record ?? '$record')) continue
    envelopes[option] = template
    details[option] = `${writes.length} responses to ${methods.join(' and ')}`
  }
  if (Object.keys(statuses).length > 0) {
    envelopes['statuses'] = statuses
    details['statuses'] = 'the statuses of most writes'
  }
  return envelopes
}

/** Learns the envelopes of a resource's writes that the general ones do not explain. */
export function toOwnWrites(
  all: readonly ParsedExchange[],
  general: Envelopes,
  ownRecord: Json | undefined,
): Envelopes {
  const record = ownRecord ?? general['record']
  const found: Envelopes = {}
  const known = isRecord(general['statuses']) ? general['statuses'] : {}
  const statuses: Record<string, number> = {}
  for (const [option, methods, full, empty] of writeOptions) {
    const writes = all.filter(({ method }) => methods.includes(method))
    const template = toWriteTemplate(writes) ?? record ?? '$record'
    // With a `record` of its own, a resource has none of the general envelopes of writes.
    const usual = ownRecord ?? general[option] ?? record ?? '$record'
    if (writes.length > 0 && !isSame(template, usual)) found[option] = template
    const status = toStatus(writes, template)
    const standard = known[option] ?? (template === null ? empty : full)
    if (status !== undefined && status !== standard) statuses[option] = status
  }
  return { ...found, ...(Object.keys(statuses).length > 0 && { statuses }) }
}

/** Returns the status of most writes that have a body, or none, as the template says. */
function toStatus(
  writes: readonly ParsedExchange[],
  template: Json | undefined,
): number | undefined {
  const alike = writes.filter(({ isEmpty }) => isEmpty === (template === null))
  const [status] = mostFrequent(alike.map((one) => String(one.status))) ?? []
  return status === undefined ? undefined : Number(status)
}

/** Templates by the names of options of `rest`, such as `list`. */
export type Envelopes = Record<string, Json>

/** Learns the envelopes of lists and of pages, with evidence in `details`. */
export function toListEnvelopes(
  all: readonly RecordedList[],
  details: Record<string, string>,
): Envelopes {
  const pages = all.filter(({ isPage }) => isPage)
  const lists = all.filter(({ isPage }) => !isPage)
  const isSplit = hasOwnKeys(lists, pages) || hasOwnKeys(pages, lists)
  const groups = isSplit ? { list: lists, page: pages } : { list: all }
  const found: Envelopes = {}
  for (const [option, group] of Object.entries(groups)) {
    const best = toEnvelope(group)
    if (!best || (best.template === '$items' && !isSplit)) continue
    found[option] = best.template
    details[option] = best.evidence
  }
  return found
}

/** The keys of an array are its items. */
function hasOwnKeys(lists: readonly RecordedList[], others: readonly RecordedList[]): boolean {
  if (others.length === 0) return false
  const [first = [], ...rest] = lists.map(keysOf)
  const known = new Set(others.flatMap(keysOf))
  return first.some((key) => !known.has(key) && rest.every((keys) => keys.includes(key)))
}

function keysOf({ json }: RecordedList): string[] {
  return isRecord(json) ? Object.keys(json) : ['[]']
}

function toEnvelope(
  lists: readonly RecordedList[],
): { template: Json; evidence: string } | undefined {
  const best = mostFrequent(lists.map(pathOf))
  if (!best) return undefined
  const [path, count] = best
  return {
    template: toTemplate(lists.filter((list) => pathOf(list) === path)),
    evidence: `${count} of ${lists.length} lists have this envelope`,
  }
}

/** The options of writes, with the statuses of responses with a body and without. */
const writeOptions: readonly [
  option: string,
  methods: readonly string[],
  full: number,
  empty: number,
][] = [
  ['created', ['POST'], 201, 201],
  ['updated', ['PUT', 'PATCH'], 200, 204],
  ['removed', ['DELETE'], 200, 204],
]

/** Keeps the members that all bodies share; `key` is the template of the key that holds the record. */
function toRecordTemplate(exchanges: readonly ParsedExchange[], key: string): Json {
  const bodies = exchanges.flatMap(({ json, segments }) => {
    const collection = segments.at(-2) ?? ''
    const found = findRecord(json, collection)
    if (!found || !isRecord(json) || toKeyTemplate(found.key, collection) !== key) return []
    return [Object.entries(json).filter(([name]) => name !== found.key)]
  })
  const [first = [], ...rest] = bodies.map((members): JsonRecord => Object.fromEntries(members))
  const constants = Object.entries(first).filter(([name, value]) =>
    rest.every((body) => isSame(body[name], value)),
  )
  const others = toLiteral(Object.fromEntries(constants)) as JsonRecord
  return { ...others, [key]: '$record' }
}

/** Creates a template with the member `@odata.context`, which the learner leaves out of fixtures. */
function toContextTemplate(exchanges: readonly ParsedExchange[]): Json | undefined {
  const texts = exchanges.flatMap((exchange): TextSample[] => {
    const { json, segments } = exchange
    const text = isRecord(json) ? json[contextKey] : undefined
    const facts = toRequestFacts(exchange, segments.at(-2) ?? '')
    return typeof text === 'string' ? [[text, facts]] : []
  })
  const context = texts.length === exchanges.length ? toTextTemplate(texts) : undefined
  return context === undefined ? undefined : { [contextKey]: context, '...': '$record' }
}

/** Groups exchanges of collections by request, as lists, records and writes have own envelopes. */
export function groupExchanges(
  exchanges: readonly ParsedExchange[],
  resourcePaths: ResourcePaths,
): ExchangeGroups {
  const known = exchanges.flatMap((exchange) => {
    const kind = isSuccess(exchange) && resourcePaths.find(exchange.segments)?.kind
    return kind ? [{ exchange, kind: exchange.method === 'GET' ? kind : 'write' }] : []
  })
  const ofKind = (kind: string): ParsedExchange[] =>
    known.flatMap((one) => (one.kind === kind ? [one.exchange] : []))
  const lists = toLists(ofKind('collection'))
  const pathOf = ({ segments }: ParsedExchange): ResourcePath | undefined =>
    resourcePaths.find(segments)
  const listed = new Set(
    lists.flatMap((list) => {
      const found = pathOf(list)
      return found && !found.parent ? [found.collection] : []
    }),
  )
  const isNested = (list: RecordedList): boolean => {
    const found = pathOf(list)
    return found?.parent !== undefined && listed.has(found.collection)
  }
  return {
    lists: lists.filter((list) => !isNested(list)),
    nested: lists.filter(isNested),
    members: ofKind('member'),
    writes: ofKind('write'),
  }
}

/** Successful exchanges with collections: GETs of lists, GETs of single records, and writes. */
export interface ExchangeGroups {
  /** The lists of a resource: nested ones only of a resource that has no other. */
  lists: RecordedList[]
  /** The other nested lists, which can have another form. */
  nested: RecordedList[]
  members: ParsedExchange[]
  writes: ParsedExchange[]
}

/** Returns the key that holds each single record, as a template; an empty text if the body is the record. */
export function toRecordKeys(members: readonly ParsedExchange[]): string[] {
  const found = members.flatMap(({ json, segments }) => {
    const collection = segments.at(-2) ?? ''
    const record = findRecord(json, collection)
    const id = segments.at(-1) ?? ''
    const hasId =
      record && Object.values(record.record).some((value) => isId(value) && String(value) === id)
    return record ? [{ key: toKeyTemplate(record.key, collection), hasId }] : []
  })
  // A body such as `{ "comments": [] }` below an id is no record.
  const sure = found.filter(({ hasId }) => hasId)
  return (sure.length > 0 ? sure : found).map(({ key }) => key)
}

/** Returns the template of the key that holds a record: `$singular` for the name of the collection in the singular. */
export function toKeyTemplate(key: string | undefined, collection: string): string {
  if (key === undefined) return ''
  return key === singularName(collection) ? '$singular' : escapeTemplate(key)
}

/** A resource of the API, with the properties that decide its bodies. */
export interface KnownResource {
  name: string
  idField?: string | undefined
  /** The fields that no response has: foreign keys that the learner added because of nested paths. */
  hidden?: readonly string[]
  /** The envelope of a singleton, if it is not that of records. */
  record?: Json | undefined
  /** The members of records that hold URLs of the API, as templates. */
  links?: JsonRecord | undefined
}

/** The resources of the API. */
export interface KnownResources {
  all: readonly KnownResource[]
  /** The views, each with its collection. */
  views: readonly (readonly [name: string, view: string])[]
  nameOf(exchange: ParsedExchange): string | undefined
  /** The path of a nested list with `:id` in place of the id: `users/:id/posts`. */
  nestedNameOf(exchange: ParsedExchange): string | undefined
  isField(name: string): boolean
  /** Whether the option `filters` of a resource has the parameter. */
  isFilter(name: string): boolean
}

/** Groups exchanges by the name of their resource. */
export function groupBy<Exchange extends ParsedExchange>(
  exchanges: readonly Exchange[],
  nameOf: (exchange: ParsedExchange) => string | undefined,
): Map<string, Exchange[]> {
  const groups = new Map<string, Exchange[]>()
  for (const exchange of exchanges) addToMultimap(groups, nameOf(exchange) ?? '', exchange)
  return groups
}

/** Finds the fields that lists leave out and that single records have. */
export function findUnlisted(
  lists: readonly RecordedList[],
  members: readonly ParsedExchange[],
  idField: string,
): string[] {
  const rows = lists.filter(isWhole).flatMap(({ items }) => items)
  const ids = new Set(rows.map(({ [idField]: id }) => id))
  const listed = new Set(rows.flatMap(Object.keys))
  const fields = members.filter(isWhole).flatMap(({ json, segments }) => {
    const { record = {} } = findRecord(json, segments.at(-2)) ?? {}
    return ids.has(record[idField] ?? null) ? Object.keys(record) : []
  })
  return [...new Set(fields)].filter((name) => !listed.has(name))
}

function isWhole({ query }: ParsedExchange): boolean {
  return query.every(([name, value]) => !['fields', 'embed'].includes(roleOf(name, value) ?? ''))
}
