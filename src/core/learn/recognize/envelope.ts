import { toId } from './ids.ts'
import { singularName } from '../../dialects/rest-names/variables.ts'
import { isRecord, type Json, type JsonRecord } from '../../json/json.ts'
import type { Path } from '../../json/path.ts'
import { baseName } from '../../text/foreign-keys.ts'
import { isPluralOf } from '../../text/plurals.ts'
import type { ParsedExchange } from '../parse-exchange.ts'

/**
 * Finds the list of records in the body of a response: the body itself, or a member of an envelope. `isList` says that
 * the body holds a list, so that the envelope can have any other keys.
 */
export function findList(
  json: Json | undefined,
  collection = '',
  isList = false,
): FoundList | undefined {
  if (isRecords(json)) return { keys: [], items: json }
  if (!isRecord(json)) return undefined
  const embedded = json['_embedded']
  if (!isRecord(embedded)) return findIn(json, collection, isList)
  const lists = Object.entries(embedded).filter(isEntryOfRecords)
  const [only, second] = lists
  const found = lists.find(([key]) => key === collection) ?? (second ? undefined : only)
  return found && { keys: ['_embedded', found[0]], items: found[1] }
}

/** A list in the body of a response: its records, and the keys that lead to them. */
export interface FoundList {
  keys: Path
  items: JsonRecord[]
}

/** Finds the record in the body of a response: the body itself, or the only record of an envelope. */
export function findRecord(json: Json | undefined, collection = ''): FoundRecord | undefined {
  if (!isRecord(json)) return undefined
  const keys = Object.keys(json)
  const key = findRecordKey(keys, (name) => isRecord(json[name]), collection)
  return { key, record: key === undefined ? json : (json[key] as JsonRecord) }
}

/** A record in the body of a response, and the key of the envelope that holds the record; no key without an envelope. */
export interface FoundRecord {
  key: string | undefined
  record: JsonRecord
}

/** Keys under which envelopes hold the records of a list, the most usual first. */
const listKeys =
  /^(?:data|items|results|value|records|rows|content|list|docs|documents|hits|entries|elements|objects|collection|nodes|values|members|resources|payload|response|result)$/i

const recordKeys = /^(?:data|item|result|record|entity|object|resource|payload|response|d)$/i

/** Keys of envelopes whose values describe the response and not a record. */
const metaKeys =
  /^(?:total.*|count|.*count|.*pages?|page.*|per_?page|limit|offset|skip|take|size|first|last|prev(?:ious)?.*|next.*|from|to|cursor.*|has_?(?:more|next|prev).*|_?links?|meta(?:data)?|_meta|pagination|paging|paginator|status(?:_?code)?|success|ok|message|errors?|code|jsonapi|included|facets|aggregations|took|timestamp|request_?id|version|@.*|odata\..*|__.*|self|kind|object|url)$/i

/** Whether the values under a key of an envelope describe the response and not a record. */
export function isMetaKey(key: string): boolean {
  return metaKeys.test(key)
}

/** Whether envelopes can hold the records of a list under a key: a usual key, or the name of the collection. */
export function isListKey(key: string, collection: string): boolean {
  return key === collection || listKeys.test(key)
}

function findIn(
  envelope: JsonRecord,
  collection: string,
  isList: boolean,
  depth = 0,
): FoundList | undefined {
  const entries = Object.entries(envelope)
  const named = entries.filter(isEntryOfRecords).filter(([key]) => isListKey(key, collection))
  const [first, second] = named
  const best =
    named.find(([key]) => key === collection) ??
    named.find(([key]) => key === 'data') ??
    (second && !isList ? undefined : first)
  if (best) {
    const [bestKey, items] = best
    const isMeta = ([key, value]: [string, Json]): boolean =>
      key === bestKey || metaKeys.test(key) || isEmptyMeta(value)
    return isList || entries.every(isMeta) ? { keys: [bestKey], items } : undefined
  }
  if (depth === 2) return undefined
  // `{ data: { items: [...], total: 3 } }`
  for (const [key, value] of entries) {
    if (!isRecord(value) || !isListKey(key, collection)) continue
    const inner = findIn(value, collection, isList, depth + 1)
    const isEnvelope = isList || entries.every(([other]) => other === key || metaKeys.test(other))
    if (inner && isEnvelope) return { keys: [key, ...inner.keys], items: inner.items }
  }
  return undefined
}

function isEntryOfRecords(entry: [string, Json]): entry is [string, JsonRecord[]] {
  return isRecords(entry[1])
}

/** Finds the key of an envelope that holds a single record; undefined if the keys are the fields of a record. */
export function findRecordKey(
  keys: readonly string[],
  isObject: (key: string) => boolean,
  collection: string,
): string | undefined {
  const isNamed = (key: string): boolean =>
    collection !== '' && (isPluralOf(collection, key) || key === singularName(collection))
  if (keys.includes('id')) return undefined
  const found = keys.find((key) => isObject(key) && (recordKeys.test(key) || isNamed(key)))
  return keys.every((key) => key === found || metaKeys.test(key)) ? found : undefined
}

/** Whether a value is a list of records, or an empty list. */
export function isRecords(value: unknown): value is JsonRecord[] {
  return Array.isArray(value) && value.every(isRecord)
}

function isEmptyMeta(value: Json): boolean {
  return value === null || (Array.isArray(value) && value.length === 0)
}

/** Removes the links of Spring Data REST, and adds the id that only the link has. */
export function withoutLinks(record: JsonRecord): JsonRecord {
  const { _links: links, ...rest } = record
  if (!isRecord(links)) return record
  const self = links['self']
  const target = isRecord(self) ? self['href'] : undefined
  const href = typeof target === 'string' ? target.replace(/\{.*$/, '') : ''
  const id = href.slice(href.lastIndexOf('/') + 1)
  return 'id' in rest || id === '' ? rest : { id: toId(id), ...rest }
}

/** Whether the lists in exchanges are those of Spring Data REST: `_embedded` beside `page.totalElements`. */
export function isSpring(exchanges: readonly ParsedExchange[]): boolean {
  return exchanges.some(({ json }) => {
    const page = isRecord(json) ? json['page'] : undefined
    return findList(json)?.keys[0] === '_embedded' && isRecord(page) && 'totalElements' in page
  })
}

/** Returns a record of OData without its annotations of the response. */
export function withoutContext(record: JsonRecord): JsonRecord {
  const { [contextKey]: _context, ...rest } = record
  return rest
}

/** The member of responses of OData that names the type of the record. */
export const contextKey = '@odata.context'

/** Returns the records without links, annotations and envelopes; undefined without a list. */
export function recordsIn(body: Json | undefined, resource: string): JsonRecord[] | undefined {
  const items = findList(body, baseName(resource), true)?.items
  const isJsonApi = items?.every(isJsonApiRecord) === true
  return items?.map((item) => toPlain(isJsonApi ? fromJsonApi(item) : item))
}

/** Returns the record in a body as a plain record; any other body as it is. */
export function valueIn(body: Json | undefined, resource: string): Json | undefined {
  const found = findRecord(body, baseName(resource))
  if (!found) return body
  const { key, record } = found
  return toPlain(key !== undefined && isJsonApiRecord(record) ? fromJsonApi(record) : record)
}

/** Whether a record has its fields in `attributes`, as in JSON:API. */
export function isJsonApiRecord(record: JsonRecord): boolean {
  return typeof record['type'] === 'string' && isRecord(record['attributes'])
}

function fromJsonApi({ id, attributes }: JsonRecord): JsonRecord {
  return { ...(id !== undefined && { id }), ...(attributes as JsonRecord) }
}

/** Returns a record without the links and annotations that HAL and OData add. */
function toPlain(record: JsonRecord): JsonRecord {
  const entries = Object.entries(record)
  const own = entries.filter(([key]) => key !== '_links' && !key.startsWith('@odata.'))
  return own.length === entries.length ? record : Object.fromEntries(own)
}
