import { isRecord } from '../../json/json.ts'
import type { GetResponse } from './observed-response.ts'

/**
 * Returns the URL of the next page, from the header `Link` or from the body; undefined if the response has no
 * such link.
 */
export function nextPageOf({ json, headers }: GetResponse): string | undefined {
  const [, field] = headers.find(([name]) => /^link$/i.test(name)) ?? []
  const [, link] = /<([^>]*)>[^,]*;\s*rel="?next"?/i.exec(field ?? '') ?? []
  if (link !== undefined) return link
  if (!isRecord(json)) return undefined
  for (const holder of [json, json['links'], json['_links'], json['meta'], json['paging']]) {
    if (!isRecord(holder)) continue
    for (const key of ['next', 'nextLink', 'next_page_url', '@odata.nextLink']) {
      const value = holder[key]
      const url = isRecord(value) ? value['href'] : value
      if (typeof url === 'string' && /^(?:https?:)?\/|^\?/.test(url)) return url
    }
  }
  return undefined
}
