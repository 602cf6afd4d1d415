import { headerOf } from '../../http/contract/messages.ts'
import { isRecord, type Json, type JsonRecord } from '../../json/json.ts'
import { isPluralOf, singularOf } from '../../text/plurals.ts'
import { splitUri } from '../../url/uri.ts'
import type { DialectCandidate } from '../learned.ts'
import { isSuccess, type ParsedExchange } from '../parse-exchange.ts'
import type { RelatedKey } from '../records/related.ts'
import { toId } from './ids.ts'
import { findBase } from './resource-paths.ts'

/** The media type of JSON:API. */
export const jsonApiType = 'application/vnd.api+json'

/**
 * Converts the documents of a JSON:API service to plain records: the id with the attributes, and the linkage of
 * relationships as foreign keys. Included resources become reads of their own. Undefined without such a document.
 */
export function fromJsonApi(all: readonly ParsedExchange[]): PlainExchanges | undefined {
  const documents = all.filter(({ headers }) => {
    const [type = ''] = (headerOf(headers, 'Content-Type') ?? '').split(';')
    return type.trim().toLowerCase() === jsonApiType
  })
  if (documents.length === 0) return undefined
  const shown = documents.filter(isSuccess).flatMap(({ json }) => resourcesIn(json))
  const pathOf = findPaths(documents, shown)
  const keys = findKeys(shown)
  const exchanges = all.flatMap((exchange): ParsedExchange[] => {
    const { json, sent, method, segments, query, path } = exchange
    const document = { json, sent, query }
    const part = { ...exchange, query: [], isPart: true } as const
    const [above = '', relationship] = path.split('/relationships/')
    if (isRecord(sent) && 'atomic:operations' in sent) return []
    if (relationship !== undefined && method !== 'GET') {
      // A PATCH of a relationship changes the record that has the key.
      const found = [...keys].find(([type]) => above.startsWith(`${pathOf(type)}/`))?.[1]
      const key = found?.get(relationship)?.key
      if (key === undefined || method !== 'PATCH' || !isSuccess(exchange)) return []
      const change = { data: { [key]: toKeys(dataIn(sent) ?? null) } }
      return [
        { ...part, path: above, segments: segments.slice(0, -2), json: undefined, sent: change },
      ]
    }
    const data = dataIn(json)
    const isOther = isResource(data) && method === 'GET' && data.id !== segments.at(-1)
    const isOwn = relationship === undefined && !isOther
    const own: ParsedExchange = {
      ...exchange,
      query: query.map(([name, value]) => [name.replace(/^filter\[([^[\]]+)\]$/, '$1'), value]),
      json: isOwn && isSuccess(exchange) ? toPlain(json, keys) : isOwn ? json : undefined,
      sent: toPlain(sent, keys),
      document,
    }
    const parts = (isSuccess(exchange) ? resourcesIn(json) : []).filter(
      (one) => !isOwn || ![data].flat().includes(one),
    )
    return [
      own,
      ...parts.map((one): ParsedExchange => {
        const [folder, id] = [pathOf(one.type), one.id]
        const where = { path: `${folder}/${id}`, segments: [...folder.split('/').slice(1), id] }
        const fields = query.filter(([name]) => name.startsWith('fields['))
        const record = { data: toRecord(one, keys) }
        return { ...part, ...where, method: 'GET', status: 200, query: fields, json: record }
      }),
    ]
  })
  const relations = [...keys].flatMap(([type, ofType]) =>
    [...ofType].flatMap(([name, { key, to, count }]): RelatedKey[] => {
      if (to === undefined || isPluralOf(to, name)) return []
      const [child, parent] = [pathOf(type).slice(1), pathOf(to).slice(1)]
      return [{ child, parent, key, count, by: 'linkage' }]
    }),
  )
  const evidence = `${documents.length} responses have its media type`
  return { exchanges, relations, dialects: [{ value: 'json-api', evidence }] }
}

/** The exchanges of a JSON:API service as those of plain records, and its dialect. */
interface PlainExchanges {
  exchanges: ParsedExchange[]
  /** The foreign keys whose names do not say what they refer to. */
  relations: RelatedKey[]
  dialects: DialectCandidate[]
}

type Resource = JsonRecord & { type: string; id: string }

function isResource(value: Json | undefined): value is Resource {
  return isRecord(value) && typeof value['type'] === 'string' && typeof value['id'] === 'string'
}

function dataIn(json: Json | undefined): Json | undefined {
  return isRecord(json) ? json['data'] : undefined
}

/** The resource objects of a document, primary and included; identifiers alone are none. */
function resourcesIn(json: Json | undefined): Resource[] {
  const included = isRecord(json) ? json['included'] : undefined
  const isFull = (one: Resource): boolean => isRecord(one['attributes'] ?? one['relationships'])
  return [dataIn(json), included]
    .flat()
    .filter((one) => isResource(one))
    .filter(isFull)
}

/** Finds the path of the collection of each type: that of a list, of a record or of its link, the shortest. */
function findPaths(
  documents: readonly ParsedExchange[],
  shown: readonly Resource[],
): (type: string) => string {
  const paths = new Map<string, string>()
  const add = (type: string, path: string): void => {
    const before = paths.get(type)
    if (before === undefined || path.length < before.length) paths.set(type, path)
  }
  const addMember = ({ type, id }: Resource, path: string): void => {
    if (path.endsWith(`/${id}`)) add(type, path.slice(0, -id.length - 1))
  }
  for (const { json, path, method } of documents) {
    if (method !== 'GET' || path.includes('/relationships/')) continue
    const data = dataIn(json)
    if (isResource(data)) addMember(data, path)
    for (const one of Array.isArray(data) ? data : []) if (isResource(one)) add(one.type, path)
  }
  for (const resource of shown) {
    const { self } = isRecord(resource['links']) ? resource['links'] : {}
    if (typeof self === 'string') addMember(resource, splitUri(self).path)
  }
  const base = findBase([...paths.values()].map((path) => path.split('/').slice(1)))
  return (type) => paths.get(type) ?? `${base}/${type}`
}

/** A relationship as a foreign key, with the type of the related resources and the number of linkages. */
interface Key {
  key: string
  to: string | undefined
  isMany: boolean
  count: number
}

type Keys = ReadonlyMap<string, Map<string, Key>>

/** Finds the foreign keys of each type by relationship. Of two relationships that mirror each other, one has keys. */
function findKeys(resources: readonly Resource[]): Keys {
  const keys = new Map<string, Map<string, Key>>()
  for (const resource of resources) {
    const ofType = keys.get(resource.type) ?? new Map<string, Key>()
    keys.set(resource.type, ofType)
    for (const [name, linkage] of linkagesOf(resource)) {
      const isMany = Array.isArray(linkage)
      const [one] = [linkage].flat()
      const { to = isResource(one) ? one.type : undefined, count = 0 } = ofType.get(name) ?? {}
      const key = isMany ? `${singularOf(name)}Ids` : `${name}Id`
      ofType.set(name, { key, to, isMany, count: count + 1 })
    }
  }
  for (const [type, ofType] of keys) {
    for (const [name, { to = '', isMany }] of ofType) {
      const back = [...(keys.get(to)?.values() ?? [])].filter((one) => one.to === type)
      const isMirrored = back.some((one) => !one.isMany || to < type)
      // Related resources that no response has shown may have the keys.
      if (isMany && (!keys.has(to) || isMirrored)) ofType.delete(name)
    }
  }
  return keys
}

function linkagesOf({ relationships }: JsonRecord): [name: string, linkage: Json][] {
  return Object.entries(isRecord(relationships) ? relationships : {}).flatMap(([name, value]) => {
    const linkage = dataIn(value)
    return linkage === undefined ? [] : [[name, linkage]]
  })
}

function toKeys(linkage: Json): Json {
  if (Array.isArray(linkage)) return linkage.map(toKeys)
  return isResource(linkage) ? toId(linkage.id) : null
}

function toPlain(json: Json | undefined, keys: Keys): Json | undefined {
  const data = dataIn(json)
  if (!isRecord(json) || !data) return json
  const { included: _, ...envelope } = json
  const plain = Array.isArray(data) ? data.map((one) => toRecord(one, keys)) : toRecord(data, keys)
  return { ...envelope, data: plain }
}

function toRecord(resource: Json, keys: Keys): Json {
  if (!isRecord(resource) || typeof resource['type'] !== 'string') return resource
  const { id, type, attributes } = resource
  const linked = linkagesOf(resource).flatMap(([name, linkage]): [string, Json][] => {
    const found = keys.get(type)?.get(name)
    return found ? [[found.key, toKeys(linkage)]] : []
  })
  return {
    ...(typeof id === 'string' && { id: toId(id) }),
    ...(isRecord(attributes) && attributes),
    ...Object.fromEntries(linked),
  }
}
