import type { Params } from '../../params.ts'
import { writeCursor } from '../../query/cursor.ts'
import type { Answer, RenderContext, Result } from '../dialect.ts'

type List = Extract<Result, { type: 'list' }>

/** Renders a page of a list: which part it is, and where the others are (RFC 8288). */
export function renderPage(list: List, context: RenderContext, headers: Answer['headers']): Answer {
  const { records, asked } = list
  if (asked.paging?.style !== 'cursor') headers.push(contentRange(list, context))
  const params = asked.params ?? context.params
  const links = linksOf(list, params)
  if (links.length > 0) headers.push(['Link', writeLinks(links, params, context.path)])
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

/** A page that can be gone to, and the parameters that lead there where they differ. */
type PageLink = readonly [relation: string, changes: Readonly<Record<string, string>>]

/** The pages that can be gone to from here. */
function linksOf({ asked, total, next }: List, params: Params): PageLink[] {
  const { style = 'page', page = 1, size = 0 } = asked.paging ?? {}
  if (size === 0) return []
  if (style === 'cursor') {
    const first: PageLink = ['first', { _cursor: '' }]
    return next ? [first, ['next', { _cursor: writeCursor(next()) }]] : [first]
  }
  if (style === 'range') return rangeLinks(asked.query.slice?.start ?? 0, size, total, params)
  const pages = Math.max(1, Math.ceil(total / size))
  const to = (page: number): PageLink[1] => ({ _page: String(page) })
  return [
    ['first', to(1)],
    ...(page > 1 ? [['prev', to(Math.min(page - 1, pages))] satisfies PageLink] : []),
    ...(page < pages ? [['next', to(page + 1)] satisfies PageLink] : []),
    ['last', to(pages)],
  ]
}

function rangeLinks(start: number, size: number, total: number, params: Params): PageLink[] {
  const byEnd = params.some(([name]) => name === '_end')
  const to = (from: number): PageLink[1] => ({
    _start: String(from),
    ...(byEnd && { _end: String(from + size) }),
  })
  const last = total === 0 ? 0 : Math.floor((total - 1) / size) * size
  return [
    ['first', to(0)],
    ...(start > 0 ? [['prev', to(Math.max(0, start - size))] satisfies PageLink] : []),
    ...(start + size < total ? [['next', to(start + size)] satisfies PageLink] : []),
    ['last', to(last)],
  ]
}

/** Writes links; parameters that change do so in their place, or come at the end. */
function writeLinks(links: readonly PageLink[], params: Params, path: string): string {
  // All links share most of what is written of the parameters.
  const written = params.map(([name, value]) => [name, writeParam(name, value)] as const)
  return links
    .map(([relation, changes]) => {
      const changed = Object.keys(changes)
      const added = changed.filter((name) => !params.some(([one]) => one === name))
      const parts = written.map(([name, text]) =>
        changed.includes(name) ? writeParam(name, changes[name]) : text,
      )
      const search = [...parts, ...added.map((name) => writeParam(name, changes[name]))].join('&')
      return `<${path}?${search}>; rel="${relation}"`
    })
    .join(', ')
}

function writeParam(name: string, value = ''): string {
  return `${encode(name)}=${encode(value)}`
}

function encode(text: string): string {
  if (/^[\w.,:~-]*$/.test(text)) return text
  return encodeURIComponent(text).replaceAll('%2C', ',').replaceAll('%3A', ':')
}
