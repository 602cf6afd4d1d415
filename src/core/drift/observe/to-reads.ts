import { isRecord, type Json, type JsonRecord } from '../../json/json.ts'
import { findList, findRecord } from '../../learn/recognize/envelope.ts'
import { totalOf, nextPageOf } from '../../learn/recognize/pages.ts'
import { baseName } from '../../text/foreign-keys.ts'
import type { Read } from '../side.ts'
import { type GetResponse, type ObservedResponse, type DriftTarget, isGood } from './explore.ts'

/**
 * Reads from the responses of a resource which properties are compared besides the values: statuses, whether
 * there is a list, its envelope, and the page size.
 */
export function toReads(
  { name, kind }: DriftTarget,
  responses: readonly ObservedResponse[],
): Read[] {
  const path = `GET /${name}`
  const reads = responses.flatMap((response): Read[] => {
    const { role, status } = response
    if (role === 'data') return []
    const seen = seenAt(response)
    const isMember = role === 'member' || role === 'unknown'
    const place = { path: isMember ? `${path}/:id` : path, seen }
    // Errors of the server, of logins and of rate limits are no part of the API's contract.
    const isContractual = status < 500 && ![401, 403, 429].includes(status)
    const statuses: Read[] = isContractual
      ? [
          role === 'unknown'
            ? {
                ...place,
                kind: 'status',
                subject: role,
                value: `status ${status} for an unknown id`,
              }
            : { ...place, kind: 'status', value: `status ${status}` },
        ]
      : []
    if (!isGood(response) || role === 'unknown') return statuses
    if (role !== 'list') {
      const value = unwrapRecord(response.json, name)?.place ?? ''
      return [...statuses, { ...place, kind: 'list', value }]
    }
    const list = unwrapList(response.json, name)
    const isList = kind === 'collection' && list !== undefined
    const form: Read = { ...place, kind: 'kind', value: isList ? 'list' : 'no list' }
    if (!isList) return [...statuses, form]
    const { keys, place: value, content } = list
    const size = toPageSize(response, content.length)
    return [
      ...statuses,
      form,
      { ...place, kind: 'list', value, ...(keys !== undefined && { detail: keys }) },
      // A parameter of the request may set the page size.
      ...(response.path.includes('?')
        ? []
        : [{ ...place, kind: 'page size', value: size } as const]),
    ]
  })
  // Of properties with the same kind, path and subject, the first is kept.
  return [...new Map(reads.toReversed().map((read) => [keyOf(read), read])).values()].toReversed()
}

/** Returns the key of a property: two properties with the same key are compared. */
export function keyOf({ kind, path, subject }: Read): string {
  return JSON.stringify([kind, path, subject ?? ''])
}

/** Describes the request of a response, for messages: `GET /posts?page=2`. */
export function seenAt({ path }: GetResponse): string {
  return `GET ${path}`
}

/**
 * Returns the size of a page in words: the size of a page that is not the last, otherwise the number of all
 * records.
 */
function toPageSize(response: GetResponse, count: number): string {
  const hasMore = nextPageOf(response) !== undefined || (totalOf(response, count) ?? 0) > count
  return hasMore && count > 0 ? `${count} records a page` : `all ${count} records`
}

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
