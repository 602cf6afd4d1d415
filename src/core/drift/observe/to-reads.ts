import type { Read } from '../side.ts'
import type { GetResponse, ObservedResponse, DriftTarget } from './observed-response.ts'
import { isGood } from './explore.ts'
import { totalOf, nextPageOf } from '../../learn/recognize/pages.ts'
import { unwrapList, unwrapRecord } from './unwrap.ts'

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
