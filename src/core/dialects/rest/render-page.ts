import type { Params } from '../../url/params.ts'
import { writeCursor } from '../../query/cursor.ts'
import type { Answer, RenderContext, Result } from '../contract/dialect.ts'

/**
 * Renders a page of a list in the dialect `rest`, with `Content-Range` and, up to a maximum length, `Link`
 * (RFC 8288).
 */
export function renderPage(list: List, context: RenderContext, headers: Answer['headers']): Answer {
  const { records, asked } = list
  if (asked.paging?.style !== 'cursor') headers.push(contentRange(list, context))
  const params = asked.params ?? context.params
  const header = toLinkHeader(toUrls(linksOf(list, params), params, context.path))
  if (header !== null) headers.push(['Link', header])
  return {
    status: 200,
    headers,
    value: asked.paging?.style === 'envelope' ? envelope(list) : records,
  }
}

/** Creates `Content-Range: posts 0-9/100`, with the last segment of the path as unit. */
export function contentRange(
  { records, total, asked }: List,
  { path }: RenderContext,
): [name: string, value: string] {
  const offset = asked.query.slice?.start ?? 0
  return ['Content-Range', toContentRange({ path, offset, count: records.length, total })]
}

/** Writes the range of a page for `Content-Range`: `posts 0-9/100`. */
export function toContentRange(page: PageRange): string {
  const { path, offset, count, total } = page
  const range = count > 0 ? `${offset}-${offset + count - 1}` : '*'
  const unit = path.split('/').findLast((segment) => segment !== '') ?? 'items'
  return `${unit} ${range}/${total}`
}

/** A page of a list: the path of the list, the index of its first record, and the numbers of records. */
interface PageRange {
  path: string
  offset: number
  count: number
  total: number
}

type List = Extract<Result, { type: 'list' }>

/**
 * The maximum length of the `Link` header, in characters. A longer header is omitted, as many clients refuse
 * responses whose headers exceed 16 KiB.
 */
const maxLinkLength = 8192

/** Writes the header `Link` (RFC 8288) with the URLs of pages by relation; null for none, and for long URLs. */
export function toLinkHeader(urls: Readonly<Record<string, string | null>>): string | null {
  const links = Object.entries(urls).flatMap(([relation, url]) =>
    url === null ? [] : `<${url}>; rel="${relation}"`,
  )
  const header = links.join(', ')
  return header === '' || header.length > maxLinkLength ? null : header
}

/** Creates the envelope of a page, as in json-server 1. */
function envelope(list: List): unknown {
  const { size = 1 } = list.asked.paging ?? {}
  const numbers = Object.fromEntries(
    startsAround(list, size).map(([relation, start]) => [
      relation,
      start === null ? null : start / size + 1,
    ]),
  )
  return { ...numbers, pages: numbers['last'], items: list.total, data: list.records }
}

/** The relation of a linked page, and the parameters that differ from the request. */
type PageLink = readonly [relation: string, changes: Params]

/** Returns the links from a page to other pages. */
function linksOf(list: List, params: Params): PageLink[] {
  const { asked, next } = list
  const { style, size = 0 } = asked.paging ?? {}
  if (size === 0) return []
  if (style === 'cursor') {
    const to = (relation: string, cursor: string): PageLink => [relation, [['_cursor', cursor]]]
    return [to('first', ''), ...(next ? [to('next', writeCursor(next()))] : [])]
  }
  const byEnd = params.some(([name]) => name === '_end')
  const toChanges = (start: number): PageLink[1] =>
    style === 'range'
      ? [['_start', String(start)], ...(byEnd ? [['_end', String(start + size)] as const] : [])]
      : [['_page', String(start / size + 1)]]
  return startsAround(list, size).flatMap(([relation, start]) =>
    start === null ? [] : [[relation, toChanges(start)]],
  )
}

/** Returns the start indexes of the first, previous, next and last page; null for a page that does not exist. */
function startsAround(
  { total, asked }: List,
  size: number,
): (readonly [relation: string, start: number | null])[] {
  const start = asked.query.slice?.start ?? 0
  const last = Math.max(0, Math.ceil(total / size) - 1) * size
  return [
    ['first', 0],
    ['prev', start > 0 ? Math.max(0, Math.min(start - size, last)) : null],
    ['next', start + size < total ? start + size : null],
    ['last', last],
  ]
}

/** Returns the URLs of pages by relation; changed parameters keep their position, new ones are appended. */
function toUrls(links: readonly PageLink[], params: Params, url: string): Record<string, string> {
  return Object.fromEntries(
    links.map(([relation, changes]) => {
      const changed = new Map(changes)
      const added = changes.filter(([name]) => !params.some(([one]) => one === name))
      const search = [...params, ...added].map(
        ([name, value]) => `${encode(name)}=${encode(changed.get(name) ?? value)}`,
      )
      return [relation, `${url}?${search.join('&')}`]
    }),
  )
}

/** Percent-encodes a name or a value of a query string; keeps commas and colons readable. */
export function encode(text: string): string {
  if (/^[\w.,:~-]*$/.test(text)) return text
  return encodeURIComponent(text).replaceAll('%2C', ',').replaceAll('%3A', ':')
}
