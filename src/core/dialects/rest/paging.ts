import { readCursor, writeCursor } from '../../query/cursor.ts'
import type { Query } from '../../query/tree.ts'
import type { Params } from '../../url/params.ts'
import type { Paging, RenderContext, Result, SplitParams } from '../contract/dialect.ts'
import { wrongParameter } from '../shared/wrong-parameter.ts'
import {
  lastOf,
  nameOf,
  type PageNumbers,
  type ParameterName,
  type Spelling,
  splitParams,
} from './spelling.ts'

/**
 * Parses the parameters that select a page of a list: by number, by index or by cursor. A cursor has to fit the
 * number of `fields` in the sort order.
 * @throws MockError 400 for an invalid number or cursor
 */
export function parsePaging(params: SplitParams, spelling: Spelling, fields: number): Paged {
  const { cursor, page, perPage, limit, start, end } = spelling.readPageNumbers(params, spelling)
  if (cursor !== undefined) {
    const after = cursor === '' ? undefined : readCursor(cursor, fields)
    if (after || cursor === '') {
      return { ...toPaged('cursor', 0, limit ?? defaultSize), ...(after && { after }) }
    }
    throw wrongParameter(
      nameOf(params, 'cursor', spelling),
      'is not a cursor for this sort order; start with an empty cursor and follow the links',
    )
  }
  if (page !== undefined) {
    const size = perPage ?? limit ?? defaultSize
    return toPaged(perPage === undefined ? 'page' : 'envelope', (page - 1) * size, size, page)
  }
  const first = start ?? 0
  const last = end ?? (limit === undefined ? undefined : first + limit)
  if (last !== undefined) return toPaged('range', first, Math.max(0, last - first))
  return start === undefined ? {} : { slice: { start, end: Infinity } }
}

/** Reads the numbers that select a page in the default dialect. @throws MockError 400 for an invalid number */
export function readPlainNumbers(params: SplitParams, spelling: Spelling): PageNumbers {
  const read = (name: ParameterName, least = 0): number | undefined =>
    readNumber(params, name, spelling, least)
  const limit = read('limit')
  const cursor = lastOf(params, 'cursor')
  if (cursor !== undefined) return { cursor, limit }
  const page = read('page', 1)
  const perPage = read('perPage', 1)
  if (page !== undefined) return { page, perPage, limit }
  return { start: read('start'), end: read('end'), limit }
}

/** Reads a number of at least `least`. @throws MockError 400 */
export function readNumber(
  params: SplitParams,
  parameter: ParameterName,
  spelling: Spelling,
  least: number,
): number | undefined {
  const text = lastOf(params, parameter)
  if (text === undefined) return undefined
  const number = toWhole(text)
  if (number !== undefined && number >= least) return number
  throw wrongParameter(
    nameOf(params, parameter, spelling),
    `has to be a whole number of at least ${least}`,
  )
}

/** Returns the number that a text is; undefined if it is no whole number. */
export function toWhole(text: string): number | undefined {
  const number = Number(text)
  return /^\d+$/.test(text) && Number.isSafeInteger(number) ? number : undefined
}

/**
 * The records to return, the cursor after which a page starts, and the style and size of the page, which the
 * renderer needs for links. Empty without paging parameters.
 */
interface Paged extends Pick<Query, 'after' | 'slice'> {
  paging?: Paging
}

const defaultSize = 10

/** Returns a page from a start index. */
function toPaged(style: Paging['style'], start: number, size: number, page = 1): Paged {
  return { paging: { style, page, size }, slice: { start, end: start + size } }
}

type List = Extract<Result, { type: 'list' }>

/** A relation between pages in the header `Link` (RFC 8288). */
type Relation = 'first' | 'prev' | 'next' | 'last'

/** Returns the URLs of the other pages of a list, and the function that returns the URL of any page. */
export function toPageLinks(list: List, context: RenderContext, spelling: Spelling): PageLinks {
  const { paging } = list.asked
  const { url, pageUrl } = createUrls(list, context, spelling)
  const urlOf = (index: number): string => pageUrl(index * (paging?.size ?? 0))
  const none = { first: null, prev: null, next: null, last: null }
  if (paging?.style === 'cursor' && paging.size > 0) {
    const nextCursor = list.next ? writeCursor(list.next()) : null
    const to = (cursor: string): string => url([['cursor', cursor]])
    const next = nextCursor === null ? null : to(nextCursor)
    return { links: { ...none, first: to(''), next }, nextCursor, urlOf }
  }
  if (!paging || paging.size === 0) return { links: none, nextCursor: null, urlOf }
  const starts = startsAround(list, paging.size)
  const links: Record<Relation, string | null> = { ...none }
  for (const relation of Object.keys(starts) as Relation[]) {
    const start = starts[relation]
    links[relation] = start === null ? null : pageUrl(start)
  }
  return { links, nextCursor: null, urlOf }
}

/** The URLs of other pages; null for a page that does not exist. */
export interface PageLinks {
  links: Readonly<Record<Relation, string | null>>
  /** The cursor of the next page. */
  nextCursor: string | null
  /** Returns the URL of a page by its number, from 0. */
  urlOf(index: number): string
}

/** Returns the start indexes of the first, previous, next and last page; null for a page that does not exist. */
export function startsAround(
  { total, asked }: List,
  size: number,
): Record<Relation, number | null> {
  const start = asked.query.slice?.start ?? 0
  const last = Math.max(0, Math.ceil(total / size) - 1) * size
  return {
    first: 0,
    prev: start > 0 ? Math.max(0, Math.min(start - size, last)) : null,
    next: start + size < total ? start + size : null,
    last,
  }
}

/** A parameter that differs from the request; null for a parameter that is left out. */
type Change = readonly [parameter: ParameterName, value: string | null]

/** Creates the functions that write the URLs of other pages; the other parameters of the request stay. */
function createUrls(
  { asked }: List,
  context: RenderContext,
  spelling: Spelling,
): { url(changes: readonly Change[]): string; pageUrl(start: number): string } {
  const { pages, parameters } = spelling
  const { size = 0, style } = asked.paging ?? {}
  const params = asked.params ?? context.params
  const { known } = asked.split ?? splitParams(params, spelling)
  const has = (parameter: ParameterName): boolean => known[parameter] !== undefined
  const sentName = (parameter: ParameterName): string | undefined =>
    known[parameter]?.at(-1)?.sent ?? parameters[parameter][0]?.name
  const url = (changes: readonly Change[]): string => {
    const changed = new Map(changes.map(([parameter, value]) => [sentName(parameter), value]))
    const kept = params.flatMap(([name, value]): Params => {
      const other = changed.get(name)
      return other === null ? [] : [[name, other ?? value]]
    })
    const added = [...changed].flatMap(([name, value]): Params => {
      const isNew = name !== undefined && value !== null
      return isNew && !params.some(([one]) => one === name) ? [[name, value]] : []
    })
    const search = [...kept, ...added].map(([name, value]) => `${encode(name)}=${encode(value)}`)
    return context.origin + context.path + (search.length > 0 ? `?${search.join('&')}` : '')
  }
  const usual = has('perPage') || !has('limit') ? 'perPage' : 'limit'
  const sizes: ParameterName[] = style === 'range' ? ['limit'] : [usual, 'perPage', 'limit']
  const sizeName = sizes.find((one) => sentName(one) !== undefined) ?? 'limit'
  const sized: Change = [sizeName, String(size)]
  return {
    url,
    pageUrl(start) {
      const isOmitted = start === 0 && pages.omitFirstPage
      if (style === 'range') {
        const length: Change = has('end') ? ['end', String(start + size)] : sized
        return url([length, ['start', isOmitted ? null : String(start)]])
      }
      const number = isOmitted ? null : String(start / (size || 1) + pages.first)
      return url([['page', number], ...(pages.sizeInLinks ? [sized] : [])])
    },
  }
}

/** Writes the header `Link` with the URLs of other pages; null for none, and for long URLs. */
export function toLinkHeader(urls: PageLinks['links']): string | null {
  const links = Object.entries(urls).flatMap(([relation, url]) =>
    url === null ? [] : `<${url}>; rel="${relation}"`,
  )
  const header = links.join(', ')
  return header === '' || header.length > maxLinkLength ? null : header
}

/**
 * The maximum length of the `Link` header, in characters. A longer header is omitted, as many clients refuse
 * responses whose headers exceed 16 KiB.
 */
const maxLinkLength = 8192

/** Writes the range of a page for `Content-Range`: `posts 0-9/100`, with the last segment of the path as unit. */
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

/** Percent-encodes a name or a value of a query string; keeps commas and colons readable. */
export function encode(text: string): string {
  if (/^[\w.,:~-]*$/.test(text)) return text
  return encodeURIComponent(text).replaceAll('%2C', ',').replaceAll('%3A', ':')
}
