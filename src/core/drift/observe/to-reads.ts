import { isRecord, type Json, type JsonRecord } from '../../json/json.ts'
import { findList, findRecord, isJsonApiRecord } from '../../learn/recognize/envelope.ts'
import { totalOf, nextPageOf } from '../../learn/recognize/pages.ts'
import { baseName } from '../../text/foreign-keys.ts'
import type { Read } from '../side.ts'
import { type GetResponse, type ObservedResponse, type DriftTarget, isGood } from './explore.ts'

/** Reads the statuses, the envelope and the page size from the responses of a resource. */
export function toReads(
  { name, kind }: DriftTarget,
  responses: readonly ObservedResponse[],
): Read[] {
  const reads = responses.flatMap((response): Read[] => {
    const { role, status, json } = response
    if (role === 'data') return []
    const isMember = role === 'member' || role === 'unknown'
    const common = { path: `GET /${name}${isMember ? '/:id' : ''}`, seen: seenAt(response) }
    const found: Read[] = []
    // Errors of the server, of logins and of rate limits are no part of the API's contract.
    if (status < 500 && ![401, 403, 429].includes(status)) found.push(toStatus(response, common))
    if (!isGood(response) || role === 'unknown') return found
    if (role !== 'list') {
      const value = describeRecord(findRecord(json, baseName(name))?.key)
      return [...found, { ...common, kind: 'list', value }]
    }
    const list = kind === 'collection' ? describeList(json, name) : undefined
    found.push({ ...common, kind: 'kind', value: list ? 'list' : 'no list' })
    if (!list) return found
    const { keys: detail, place, count } = list
    found.push({ ...common, kind: 'list', value: place, ...(detail !== undefined && { detail }) })
    // A parameter of the request may set the page size.
    if (response.path.includes('?')) return found
    return [...found, { ...common, kind: 'page size', value: toPageSize(response, count) }]
  })
  // Of properties with the same kind, path and subject, the first is kept.
  return [...new Map(reads.toReversed().map((read) => [keyOf(read), read])).values()].toReversed()
}

/** Describes the status of the response to a request for a list, a record or an unknown id. */
export function toStatus(
  { role, status }: { role?: string; status: number | string },
  common: Pick<Read, 'path' | 'seen'>,
): Read {
  return role === 'unknown'
    ? { ...common, kind: 'status', subject: role, value: `status ${status} for an unknown id` }
    : { ...common, kind: 'status', value: `status ${status}` }
}

/** Returns the key of a property: two properties with the same key are compared. */
export function keyOf({ kind, path, subject }: Read): string {
  return JSON.stringify([kind, path, subject ?? ''])
}

/** Describes the request of a response, for messages: `GET /posts?page=2`. */
export function seenAt({ path }: GetResponse): string {
  return `GET ${path}`
}

/** The size of a page that is not the last, otherwise the number of all records. */
function toPageSize(response: GetResponse, count: number): string {
  const hasMore = nextPageOf(response) !== undefined || (totalOf(response, count) ?? 0) > count
  return hasMore && count > 0 ? `${count} records a page` : `all ${count} records`
}

function describeList(body: Json | undefined, resource: string): ListForm | undefined {
  const found = findList(body, baseName(resource), true)
  if (!found) return undefined
  const { keys, items } = found
  const isJsonApi = items.length > 0 && items.every(isJsonApiRecord)
  return {
    place: isJsonApi ? `${describePlace(keys)} of JSON:API` : describePlace(keys),
    ...(isRecord(body) && { keys: describeKeys(body, keys) }),
    count: items.length,
  }
}

interface ListForm {
  /** The place of the records in words: `an array`, `records in "data"`. */
  place: string
  /** All keys of the body: `{data, meta.total}`. */
  keys?: string
  count: number
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
