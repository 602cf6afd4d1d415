import { readCursor } from '../../query/cursor.ts'
import type { Cursor, Query } from '../../query/tree.ts'
import type { Paging } from '../contract/dialect.ts'
import { wrongParameter } from '../shared/wrong-parameter.ts'

/**
 * Parses the query parameters that select a page of a list: by number (`_page`), by index (`_start`, `_end`) or
 * by cursor (`_cursor`). A cursor has to fit the number of `fields` in the sort order.
 * @throws MockError 400 for an invalid number or cursor
 */
export function parsePaging(get: (name: string) => string | undefined, fields: number): Paged {
  const whole = (name: string, least = 0): number | undefined => {
    const text = get(name)
    if (text === undefined) return undefined
    const number = Number(text)
    if (/^\d+$/.test(text) && number >= least && Number.isSafeInteger(number)) return number
    throw wrongParameter(name, `has to be a whole number of at least ${least}`)
  }
  const limit = whole('_limit')
  const cursor = get('_cursor')
  if (cursor !== undefined) {
    const after = parseCursor(cursor, fields)
    return { ...toPaged('cursor', 0, limit ?? defaultSize), ...(after && { after }) }
  }
  const page = whole('_page', 1)
  const perPage = whole('_per_page', 1)
  if (page !== undefined) {
    const size = perPage ?? limit ?? defaultSize
    return toPaged(perPage === undefined ? 'page' : 'envelope', (page - 1) * size, size, page)
  }
  const first = whole('_start')
  const start = first ?? 0
  const end = whole('_end') ?? (limit === undefined ? undefined : start + limit)
  if (end !== undefined) return toPaged('range', start, Math.max(0, end - start))
  return first === undefined ? {} : { slice: { start, end: Infinity } }
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

/** Parses a cursor; returns undefined for the empty cursor, which starts at the first record. */
function parseCursor(cursor: string, fields: number): Cursor | undefined {
  if (cursor === '') return undefined
  const after = readCursor(cursor, fields)
  if (after) return after
  throw wrongParameter(
    '_cursor',
    'is not a cursor for this sort order; start with an empty cursor and follow the links',
  )
}
