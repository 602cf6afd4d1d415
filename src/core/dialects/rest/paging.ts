import { readCursor } from '../../query/cursor.ts'
import type { Query } from '../../query/tree.ts'
import type { Paging } from '../dialect.ts'
import { wrongParameter } from '../wrong-parameter.ts'

const defaultSize = 10

/** What the paging parameters come to. */
interface Paged extends Pick<Query, 'after' | 'slice'> {
  paging?: Paging
}

/** Reads the paging parameters; `fields` is how many the order has, which a cursor has to fit. */
export function parsePaging(get: (name: string) => string | undefined, fields: number): Paged {
  const whole = (name: string, least: number): number | undefined => {
    const text = get(name)
    return text === undefined ? undefined : wholeNumber(text, name, least)
  }
  const limit = whole('_limit', 0)
  const cursor = get('_cursor')
  if (cursor !== undefined) return byCursor(cursor, limit ?? defaultSize, fields)
  const page = whole('_page', 1)
  const perPage = whole('_per_page', 1)
  if (page !== undefined) {
    const size = perPage ?? limit ?? defaultSize
    const style = perPage === undefined ? 'page' : 'envelope'
    return toPaged({ style, page, size }, (page - 1) * size)
  }
  const first = whole('_start', 0)
  const end = whole('_end', 0)
  const start = first ?? 0
  const stop = end ?? (limit === undefined ? undefined : start + limit)
  if (stop === undefined) return first === undefined ? {} : { slice: { start, end: Infinity } }
  return toPaged({ style: 'range', page: 1, size: Math.max(0, stop - start) }, start)
}

/** A part of a list, which begins there. */
function toPaged(paging: Paging, start: number): Paged {
  return { paging, slice: { start, end: start + paging.size } }
}

function byCursor(text: string, size: number, fields: number): Paged {
  const paged = toPaged({ style: 'cursor', page: 1, size }, 0)
  if (text === '') return paged
  const after = readCursor(text, fields)
  if (after) return { ...paged, after }
  throw wrongParameter(
    '_cursor',
    'is no cursor of this order; begin with an empty one and follow the links',
  )
}

function wholeNumber(text: string, name: string, least: number): number {
  const number = Number(text)
  if (/^\d+$/.test(text) && number >= least && Number.isSafeInteger(number)) return number
  throw wrongParameter(name, `has to be a whole number from ${least}`)
}
