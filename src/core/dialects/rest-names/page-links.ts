import type { Params } from '../../url/params.ts'
import type { ListRequest, RenderContext, Result } from '../contract/dialect.ts'
import { writeCursor } from '../../query/cursor.ts'
import { encode } from '../rest/render-page.ts'
import { toGiven } from './given-params.ts'
import type { ParameterName } from './options.ts'
import type { Settings } from './settings.ts'

/**
 * Computes the number of the requested page, the number of all pages, and the URLs of other pages, for templates
 * of lists and `Link`.
 */
export function toPage(
  { total, asked, next }: List,
  context: RenderContext,
  settings: Settings,
): Page {
  const { pages } = settings
  const { paging, query } = asked
  const offset = query.slice?.start ?? 0
  const size = paging && paging.size > 0 ? paging.size : undefined
  const count = size === undefined ? Number(total > 0) : Math.ceil(total / size)
  const index = size === undefined ? 0 : Math.floor(offset / size)
  const to = createLinks(asked, context, settings)
  const nextCursor = paging?.style === 'cursor' && next ? writeCursor(next()) : null
  const numbers = {
    offset,
    size,
    index,
    count,
    numberOf: (at: number) => at + pages.first,
    urlOf: (at: number) => to.start(at * (size ?? 0)),
    nextCursor,
  }
  if (paging?.style === 'cursor') {
    const url = nextCursor === null ? null : to.cursor(nextCursor)
    return { ...numbers, previous: null, next: url, first: to.cursor(''), last: null }
  }
  if (size === undefined) return { ...numbers, previous: null, next: null, first: null, last: null }
  const lastStart = Math.max(0, count - 1) * size
  return {
    ...numbers,
    first: to.start(0),
    last: to.start(lastStart),
    previous: offset > 0 ? to.start(Math.max(0, Math.min(offset - size, lastStart))) : null,
    next: offset + size < total ? to.start(offset + size) : null,
  }
}

/** A page of a list: its numbers, and the URLs of other pages. */
export interface Page {
  /** The index of the first record, from 0. */
  offset: number
  /** The number of records of a page; undefined for a list without pages. */
  size: number | undefined
  /** The number of the page, from 0. */
  index: number
  /** The number of all pages. */
  count: number
  /** The number of a page as requests write it. */
  numberOf(index: number): number
  /** The URL of a page by its number, from 0. */
  urlOf(index: number): string
  /** The cursor of the next page, if there is one. */
  nextCursor: string | null
  previous: string | null
  next: string | null
  first: string | null
  last: string | null
}

type List = Extract<Result, { type: 'list' }>

/** Writes the URLs of other pages; the other parameters of the request are kept. */
function createLinks(
  { paging }: ListRequest,
  { origin, path, params }: RenderContext,
  settings: Settings,
): { start(index: number): string; cursor(cursor: string): string } {
  const { parameters, pages } = settings
  const { own } = toGiven(params, settings)
  const nameOf = (parameter: ParameterName): string | undefined =>
    own[parameter].at(-1)?.name ?? parameters[parameter][0]?.name
  const sizeParameter = own.perPage.length > 0 || own.limit.length === 0 ? 'perPage' : 'limit'
  const sizeName =
    paging?.style === 'range'
      ? nameOf('limit')
      : (nameOf(sizeParameter) ?? nameOf('perPage') ?? nameOf('limit'))
  const url = (changes: readonly (readonly [name: string | undefined, value: string | null])[]) => {
    const changed = new Map(changes)
    const kept = params.flatMap(([name, value]): Params => {
      const other = changed.get(name)
      return other === null ? [] : [[name, other ?? value]]
    })
    const added = changes.flatMap(([name, value]): Params => {
      const isNew = name !== undefined && value !== null
      return isNew && !params.some(([one]) => one === name) ? [[name, value]] : []
    })
    const search = [...kept, ...added].map(([name, value]) => `${encode(name)}=${encode(value)}`)
    return origin + path + (search.length > 0 ? `?${search.join('&')}` : '')
  }
  const size = String(paging?.size ?? '')
  return {
    cursor: (cursor) => url([[nameOf('cursor'), cursor]]),
    start(index) {
      const isFirst = index === 0 && pages.isFirstPlain
      if (paging?.style === 'range' && own.page.length === 0) {
        const start = isFirst ? null : String(index)
        const end = String(index + Number(size))
        const sized =
          own.end.length > 0 ? [[nameOf('end'), end] as const] : [[sizeName, size] as const]
        return url([...sized, [nameOf('start'), start]])
      }
      const number = String(index / (paging?.size ?? 1) + pages.first)
      const sized = pages.isSizeLinked ? [[sizeName, size] as const] : []
      return url([[nameOf('page'), isFirst ? null : number], ...sized])
    },
  }
}
