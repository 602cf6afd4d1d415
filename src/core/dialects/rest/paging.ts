import { readCursor, writeCursor } from '../../query/cursor.ts'
import type { Query } from '../../query/tree.ts'
import type { Params } from '../../url/params.ts'
import type { Paging, RenderContext, Result, SplitParams } from '../contract/dialect.ts'
import { wrongParameter } from '../shared/wrong-parameter.ts'
import { type Change, type ParameterName, type Spelling, splitParams } from './spelling.ts'

/** Parses the parameters that select a page by number, index or cursor. @throws MockError 400 for an invalid one */
export function parsePaging(params: SplitParams, spelling: Spelling, fields: number): Paged {
  const read = spelling.createReader(params)
  const limit = read('limit')
  const isFirst = spelling.startsByCursor?.(params) === true
  const cursor = params.last('cursor') ?? (isFirst ? '' : undefined)
  if (cursor !== undefined) {
    const after = cursor === '' ? undefined : readCursor(cursor, fields)
    if (after || cursor === '') {
      return { ...toPaged('cursor', 0, limit ?? defaultSize), ...(after && { after }) }
    }
    throw wrongParameter(
      params.nameOf('cursor'),
      'is not a cursor for this sort order; start with an empty cursor and follow the links',
    )
  }
  const page = read('page')
  const perPage = read('perPage')
  if (page !== undefined) {
    const size = perPage ?? limit ?? defaultSize
    return toPaged(perPage === undefined ? 'page' : 'envelope', (page - 1) * size, size, page)
  }
  const first = read('start')
  const start = first ?? 0
  const end = read('end') ?? (limit === undefined ? undefined : start + limit)
  if (end !== undefined) return toPaged('range', start, Math.max(0, end - start))
  return first === undefined ? {} : { slice: { start, end: Infinity } }
}

/** Reads a number of at least `least`. @throws MockError 400 */
export function readNumber(
  params: SplitParams,
  parameter: ParameterName,
  least: number,
): number | undefined {
  const text = params.last(parameter)
  if (text === undefined) return undefined
  const number = toWhole(text)
  if (number !== undefined && number >= least) return number
  throw wrongParameter(params.nameOf(parameter), `has to be a whole number of at least ${least}`)
}

/** Returns the number that a text is; undefined if it is no whole number. */
export function toWhole(text: string): number | undefined {
  const number = Number(text)
  return /^\d+$/.test(text) && Number.isSafeInteger(number) ? number : undefined
}

/** The records to return and, for links, the style and size of their page; empty without paging parameters. */
interface Paged extends Pick<Query, 'after' | 'slice'> {
  paging?: Paging
}

const defaultSize = 10

function toPaged(style: Paging['style'], start: number, size: number, page = 1): Paged {
  return { paging: { style, page, size }, slice: { start, end: start + size } }
}

type List = Extract<Result, { type: 'list' }>

/** A relation between pages in the header `Link` (RFC 8288). */
type Relation = 'first' | 'prev' | 'next' | 'last'

/** Returns the URLs of the other pages of a list, and the function that returns the URL of any page. */
export function toPageLinks(list: List, context: RenderContext, spelling: Spelling): PageLinks {
  const { asked, next } = list
  const { paging = { style: 'page', page: 1, size: 0 } } = asked
  const params = asked.params ?? context.params
  const { known } = asked.split ?? splitParams(params, spelling)
  const write = (name: string, value: string): string => `${encode(name)}=${encode(value)}`
  const given = params.map(([name, value]) => write(name, value))
  const toUrl = (changes: readonly Change[]): string => {
    const changed = new Map(
      changes.map(([parameter, value]) => [
        known[parameter]?.at(-1)?.sent ?? spelling.parameters[parameter][0]?.name,
        value,
      ]),
    )
    const added = [...changed].flatMap(([name, value]): Params => {
      const isNew = name !== undefined && params.every(([one]) => one !== name)
      return isNew && value !== null ? [[name, value]] : []
    })
    const search: string[] = []
    for (const [at, [name, value]] of [...params, ...added].entries()) {
      const other = changed.get(name)
      if (other !== null)
        search.push(other === undefined ? (given[at] ?? write(name, value)) : write(name, other))
    }
    const url = context.path + (search.length > 0 ? `?${search.join('&')}` : '')
    return context.origin + (context.toClientUrl?.(url) ?? url)
  }
  const urlAt = (start: number): string => toUrl(spelling.toChanges(start, paging, known))
  const isByCursor = paging.style === 'cursor' && paging.size > 0
  const nextCursor = isByCursor && next ? writeCursor(next()) : null
  const starts = startsAround(list, paging.size)
  return {
    links: isByCursor
      ? {
          first: toUrl([['cursor', '']]),
          ...(nextCursor !== null && { next: toUrl([['cursor', nextCursor]]) }),
        }
      : Object.fromEntries(
          starts.map(([relation, start]) => [relation, start === null ? null : urlAt(start)]),
        ),
    nextCursor,
    urlOf: (index) => urlAt(index * paging.size),
  }
}

/** The URLs of other pages; null or missing for a page that does not exist. */
export interface PageLinks {
  links: Readonly<Partial<Record<Relation, string | null>>>
  /** The cursor of the next page. */
  nextCursor: string | null
  /** Returns the URL of a page by its number, from 0. */
  urlOf(index: number): string
}

/** The starts of the first, previous, next and last page; null for a page that does not exist. */
export function startsAround(
  { total, asked }: List,
  size: number,
): (readonly [relation: Relation, start: number | null])[] {
  if (size === 0) return []
  const start = asked.query.slice?.start ?? 0
  const last = Math.max(0, Math.ceil(total / size) - 1) * size
  return [
    ['first', 0],
    ['prev', start > 0 ? Math.max(0, Math.min(start - size, last)) : null],
    ['next', start + size < total ? start + size : null],
    ['last', last],
  ]
}

/** Writes the header `Link` with the URLs of other pages; null for none, and for long URLs. */
export function toLinkHeader(urls: PageLinks['links']): string | null {
  const links = Object.entries(urls).flatMap(([relation, url]) =>
    url === null ? [] : `<${url}>; rel="${relation}"`,
  )
  const header = links.join(', ')
  return header === '' || header.length > maxLinkLength ? null : header
}

/** The longest `Link` header, in characters: many clients refuse headers beyond 16 KiB. */
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
