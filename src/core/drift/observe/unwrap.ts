import { isRecord, type Json, type JsonRecord } from '../../json/json.ts'
import { findList, findRecord } from '../../learn/recognize/envelope.ts'
import { baseName } from '../../text/foreign-keys.ts'

/**
 * Returns the records in the body of a list, without the envelope around them and without links of hypermedia;
 * undefined for a body without a list.
 */
export function unwrapList(
  body: Json | undefined,
  resource: string,
): Unwrapped<JsonRecord[]> | undefined {
  const found = findList(body, baseName(resource), true)
  if (!found) return undefined
  const { at, items } = found
  const isJsonApi = items.length > 0 && items.every(isJsonApiRecord)
  const place = describePlace(at)
  return {
    content: items.map((row) => toPlain(isJsonApi ? fromJsonApi(row) : row)),
    place: isJsonApi ? `${place} of JSON:API` : place,
    ...(isRecord(body) && { keys: describeKeys(body, at) }),
  }
}

/** Returns the record in a body, or the value of a resource that is no collection. */
export function unwrapRecord(
  body: Json | undefined,
  resource: string,
): Unwrapped<Json> | undefined {
  if (body === undefined) return undefined
  const found = findRecord(body, baseName(resource))
  if (!found) return { content: body, place: describeRecord() }
  const { key, record } = found
  const own = key !== undefined && isJsonApiRecord(record) ? fromJsonApi(record) : record
  return { content: toPlain(own), place: describeRecord(key) }
}

/** The content of a body, and where the body holds it. */
export interface Unwrapped<T> {
  content: T
  /** The place of the content in words: `an array`, `records in "data"`. */
  place: string
  /** All keys of the body: `{data, meta.total}`. */
  keys?: string
}

/** Keys of an envelope that only some pages have, such as a link to the next page. */
const pagingKey = /^(?:next|prev|first|last|_?links|@odata\.(?:next|context)|cursor)/i

/** Keys of an envelope whose objects describe the list. */
const innerKeys = /^(?:meta|_meta|page|paging|pagination)$/i

/** Describes the place of records in a body, by the keys that lead to them. */
export function describePlace(keys: readonly string[]): string {
  return keys.length === 0 ? 'an array' : `records in "${keys.join('.')}"`
}

/** Describes the place of a record in a body, by the key of the envelope that holds the record. */
export function describeRecord(key?: string): string {
  return key === undefined ? 'the record' : `the record in "${key}"`
}

function describeKeys(body: JsonRecord, keys: readonly string[]): string {
  const others = Object.entries(body).flatMap(([name, value]) => {
    if (name === keys[0] || pagingKey.test(name)) return []
    if (!innerKeys.test(name) || !isRecord(value)) return [name]
    return Object.keys(value).flatMap((key) => (pagingKey.test(key) ? [] : `${name}.${key}`))
  })
  return `{${[keys.join('.'), ...others.toSorted()].join(', ')}}`
}

function isJsonApiRecord(row: JsonRecord): boolean {
  return typeof row['type'] === 'string' && isRecord(row['attributes'])
}

function fromJsonApi({ id, attributes }: JsonRecord): JsonRecord {
  return { ...(id !== undefined && { id }), ...(attributes as JsonRecord) }
}

/** Returns a record without the links and annotations that HAL and OData add. */
function toPlain(row: JsonRecord): JsonRecord {
  const entries = Object.entries(row)
  const own = entries.filter(([key]) => key !== '_links' && !key.startsWith('@odata.'))
  return own.length === entries.length ? row : Object.fromEntries(own)
}
