import type { Params } from '../../url/params.ts'
import { writeCursor } from '../../query/cursor.ts'
import type { Answer, RenderContext, Result } from '../contract/dialect.ts'

type List = Extract<Result, { type: 'list' }>

/** How long `Link` may be, in characters. */
const longest = 8192

/** Renders a page of a list: which part it is, and where the others are (RFC 8288). */
export function renderPage(list: List, context: RenderContext, headers: Answer['headers']): Answer {
  const { records, asked } = list
  if (asked.paging?.style !== 'cursor') headers.push(contentRange(list, context))
  const params = asked.params ?? context.params
  const links = linksOf(list, params)
  const written = writeLinks(links, params, context.path)
  // Many clients take no answer whose headers are longer than 16 KiB.
  if (written !== '' && written.length <= longest) headers.push(['Link', written])
  return {
    status: 200,
    headers,
    value: asked.paging?.style === 'envelope' ? envelope(list) : records,
  }
}

/** Says which part of how many a list is, in a unit that the last segment of the path names. */
export function contentRange(
  { records, total, asked }: List,
  { path }: RenderContext,
): [name: string, value: string] {
  const start = asked.query.slice?.start ?? 0
  const range = records.length > 0 ? `${start}-${start + records.length - 1}` : '*'
  const unit = path.split('/').findLast((segment) => segment !== '') ?? 'items'
  return ['Content-Range', `${unit} ${range}/${total}`]
}

/** The body of json-server 1 for a page. */
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

/** A page that can be gone to, and the parameters that lead there where they differ. */
type PageLink = readonly [relation: string, changes: Params]

/** The pages that can be gone to from here. */
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

/** Where the pages around that of a list begin; null where there is none. */
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

/** Writes links; parameters that change do so in their place, or come at the end. */
function writeLinks(links: readonly PageLink[], params: Params, path: string): string {
  return links
    .map(([relation, changes]) => {
      const changed = new Map(changes)
      const added = changes.filter(([name]) => !params.some(([one]) => one === name))
      const search = [...params, ...added].map(
        ([name, value]) => `${encode(name)}=${encode(changed.get(name) ?? value)}`,
      )
      return `<${path}?${search.join('&')}>; rel="${relation}"`
    })
    .join(', ')
}

/** A text as a query can hold it. */
export function encode(text: string): string {
  if (/^[\w.,:~-]*$/.test(text)) return text
  return encodeURIComponent(text).replaceAll('%2C', ',').replaceAll('%3A', ':')
}
