import { isRecord, type Json } from '../../json/json.ts'
import type { ParsedExchange } from '../parse-exchange.ts'

/** Returns the number of all records that a page of `length` records states, if any. */
export function totalOf(
  { json, headers }: Pick<ParsedExchange, 'json' | 'headers'>,
  length: number,
): number | undefined {
  const inBody = isRecord(json) ? findTotal(json, length) : undefined
  if (inBody !== undefined) return inBody
  for (const [name, value] of headers) {
    if (/^x-total(?:-count)?$/i.test(name) && /^\d+$/.test(value)) return Number(value)
    const range = /^content-range$/i.test(name) ? /\/(\d+)$/.exec(value) : null
    if (range) return Number(range[1])
  }
  return undefined
}

/** The names of members that hold the number of all records, in lower case and letters alone. */
export const totalNames: RegExp =
  /^(?:total|items|total(?:count|elements|items|records|results|rows|hits)|odatacount|recordcount)$/

function findTotal(value: Json, length: number, depth = 0): number | undefined {
  if (!isRecord(value) || depth > 3) return undefined
  for (const [key, inner] of Object.entries(value)) {
    const name = key.toLowerCase().replaceAll(/[^a-z]/g, '')
    if (typeof inner === 'number' && totalNames.test(name)) return inner
  }
  for (const inner of Object.values(value)) {
    const found = findTotal(inner, length, depth + 1)
    if (found !== undefined) return found
  }
  // `count` is the number of all records in some APIs, and the number of records of the page in other APIs.
  const { count } = value
  return typeof count === 'number' && count > length ? count : undefined
}

/** Returns the URL of the next page, by the header `Link` or the body. */
export function nextPageOf({
  json,
  headers,
}: Pick<ParsedExchange, 'json' | 'headers'>): string | undefined {
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

/** Returns the cursor of the next page in an envelope, beside the records or one level deeper. */
export function nextCursorOf(json: Json | undefined, depth = 0): string | number | undefined {
  if (!isRecord(json) || depth > 1) return undefined
  for (const [key, value] of Object.entries(json)) {
    const isCursor = /^(?:next_?(?:page_?)?(?:cursor|token)|end_?cursor)$/i.test(key)
    if (isCursor && (typeof value === 'number' || (typeof value === 'string' && value !== ''))) {
      return value
    }
  }
  for (const value of Object.values(json)) {
    const found = nextCursorOf(value, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

/** Finds the page size in an envelope, beside the records or one level deeper. */
export function sizeIn(json: Json | undefined): number | undefined {
  return numberIn(json, /^(?:per_?page|page_?size|limit|size|take|itemsPerPage)$/i)
}

/** Finds the number of pages in an envelope, beside the records or one level deeper. */
export function pagesIn(json: Json | undefined): number | undefined {
  return numberIn(json, /^(?:total_?pages?|pages|page_?count|last_?page|num_?pages)$/i)
}

function numberIn(json: Json | undefined, names: RegExp, depth = 0): number | undefined {
  if (!isRecord(json) || depth > 1) return undefined
  for (const [key, value] of Object.entries(json)) {
    if (names.test(key) && typeof value === 'number' && value > 0) return value
  }
  for (const value of Object.values(json)) {
    const found = numberIn(value, names, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}
