import { isRecord } from '../../json/json.ts'
import type { Answer } from './answer.ts'

/** The URL of the next page; undefined if the answer has none. */
export function nextPageOf({ body, header }: Answer): string | undefined {
  const [, link] = /<([^>]*)>[^,]*;\s*rel="?next"?/i.exec(header('link') ?? '') ?? []
  if (link !== undefined) return link
  if (!isRecord(body)) return undefined
  for (const holder of [body, body['links'], body['_links'], body['meta'], body['paging']]) {
    if (!isRecord(holder)) continue
    for (const key of ['next', 'nextLink', 'next_page_url', '@odata.nextLink']) {
      const value = holder[key]
      const url = isRecord(value) ? value['href'] : value
      if (typeof url === 'string' && /^(?:https?:)?\/|^\?/.test(url)) return url
    }
  }
  return undefined
}

/** The number of records of all pages, where the answer says so. */
export function totalOf({ body, header }: Answer): number | undefined {
  const [, range] = /\/(\d+)$/.exec(header('content-range') ?? '') ?? []
  const given = header('x-total-count') ?? range
  if (given !== undefined && /^\d+$/.test(given)) return Number(given)
  if (!isRecord(body)) return undefined
  for (const holder of [body, body['meta'], body['page'], body['pagination'], body['paging']]) {
    if (!isRecord(holder)) continue
    const total = totalKeys.map((key) => holder[key]).find((one) => typeof one === 'number')
    if (typeof total === 'number') return total
  }
  return undefined
}

const totalKeys = [
  'total',
  'totalCount',
  'total_count',
  'totalElements',
  'totalItems',
  'count',
  'items',
  '@odata.count',
]
