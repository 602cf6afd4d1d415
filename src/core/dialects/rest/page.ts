import type { Params } from '../../params.ts'
import { writeCursor } from '../../query/cursor.ts'
import type { Answer, RenderContext, Result } from '../dialect.ts'

type List = Extract<Result, { type: 'list' }>

/** Renders a page of a list: which part it is, and where the others are (RFC 8288). */
export function renderPage(list: List, context: RenderContext, headers: Answer['headers']): Answer {
  const { records, total, asked } = list
  const start = asked.query.slice?.start ?? 0
  if (asked.paging?.style !== 'cursor') {
    const range = records.length > 0 ? `${start}-${start + records.length - 1}` : '*'
    headers.push(['Content-Range', `${unit(context.path)} ${range}/${total}`])
  }
  const links = linksOf(list, list.asked.params ?? context.params).map(
    ([relation, params]) => `<${context.path}${toSearch(params)}>; rel="${relation}"`,
  )
  if (links.length > 0) headers.push(['Link', links.join(', ')])
  return {
    status: 200,
    headers,
    value: asked.paging?.style === 'envelope' ? envelope(list) : records,
  }
}

/** The last segment of the path names the unit of a range. */
function unit(path: string): string {
  return path.split('/').findLast((segment) => segment !== '') ?? 'items'
}

/** The body of json-server 1 for a page. */
function envelope({ records, total, asked }: List): unknown {
  const { page = 1, size = 1 } = asked.paging ?? {}
  const pages = Math.max(1, Math.ceil(total / size))
  return {
    first: 1,
    prev: page > 1 ? Math.min(page - 1, pages) : null,
    next: page < pages ? page + 1 : null,
    last: pages,
    pages,
    items: total,
    data: records,
  }
}

/** The pages that can be gone to from here, with the parameters that lead there. */
function linksOf(list: List, params: Params): [relation: string, params: Params][] {
  const { asked, total, next } = list
  const { style = 'page', page = 1, size = 0 } = asked.paging ?? {}
  if (size === 0) return []
  if (style === 'cursor') {
    const links: [string, Params][] = [['first', set(params, { _cursor: '' })]]
    if (next) links.push(['next', set(params, { _cursor: writeCursor(next) })])
    return links
  }
  if (style === 'range') return rangeLinks(asked.query.slice?.start ?? 0, size, total, params)
  const pages = Math.max(1, Math.ceil(total / size))
  const to = (page: number): Params => set(params, { _page: String(page) })
  return [
    ['first', to(1)],
    ...(page > 1 ? [['prev', to(Math.min(page - 1, pages))] satisfies [string, Params]] : []),
    ...(page < pages ? [['next', to(page + 1)] satisfies [string, Params]] : []),
    ['last', to(pages)],
  ]
}

function rangeLinks(
  start: number,
  size: number,
  total: number,
  params: Params,
): [relation: string, params: Params][] {
  const byEnd = params.some(([name]) => name === '_end')
  const to = (from: number): Params =>
    set(params, { _start: String(from), ...(byEnd && { _end: String(from + size) }) })
  const last = total === 0 ? 0 : Math.floor((total - 1) / size) * size
  return [
    ['first', to(0)],
    ...(start > 0 ? [['prev', to(Math.max(0, start - size))] satisfies [string, Params]] : []),
    ...(start + size < total ? [['next', to(start + size)] satisfies [string, Params]] : []),
    ['last', to(last)],
  ]
}

/** The parameters with some of them set, each in its place or at the end. */
function set(params: Params, values: Record<string, string>): Params {
  const rest = Object.keys(values).filter((name) => !params.some(([one]) => one === name))
  const valueOf = (name: string, value: string): string =>
    Object.hasOwn(values, name) ? (values[name] ?? value) : value
  return [
    ...params.map(([name, value]) => [name, valueOf(name, value)] as const),
    ...rest.map((name) => [name, valueOf(name, '')] as const),
  ]
}

/** Writes parameters as a query with its question mark, or nothing where there are none. */
function toSearch(params: Params): string {
  const parts = params.map(([name, value]) => `${encode(name)}=${encode(value)}`)
  return parts.length > 0 ? `?${parts.join('&')}` : ''
}

function encode(text: string): string {
  if (/^[\w.,:~-]*$/.test(text)) return text
  return encodeURIComponent(text).replaceAll('%2C', ',').replaceAll('%3A', ':')
}
