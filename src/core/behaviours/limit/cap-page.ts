import type { ListRequest } from '../../dialects/contract/dialect.ts'
import { MockError } from '../../errors/mock-error.ts'
import type { Exchange } from '../../http/contract/exchange.ts'
import type { PageLimit } from './options.ts'

/**
 * Applies the option `page` of `limit` to a list request: reduces a page of more than `max` records to `max`
 * records, and splits a longer list without paging into pages.
 * @throws MockError 400 for a page of more than `max` records, with `over: 'refuse'`
 */
export function capPage(
  asked: ListRequest,
  exchange: Exchange,
  { max, over }: Required<PageLimit>,
): void {
  const { query, paging } = asked
  const start = query.slice?.start ?? 0
  const size = (query.slice?.end ?? Infinity) - start
  if (size <= max || isShort(exchange, max)) return
  if (over === 'refuse' && size < Infinity) throw tooMany(exchange, size, max)
  if (!paging || size === Infinity) {
    asked.paging = { style: 'range', page: 1, size: max }
    query.slice = { start, end: start + max }
  } else {
    const isNumbered = paging.style === 'page' || paging.style === 'envelope'
    const from = isNumbered ? (paging.page - 1) * max : start
    asked.paging = { ...paging, size: max }
    query.slice = { start: from, end: from + max }
  }
  exchange.reasons.push(`page reduced to ${max}`)
}

/** Whether the whole collection fits into one page, so that the response needs no paging. */
function isShort({ target }: Exchange, max: number): boolean {
  return target?.kind === 'collection' && target.resource.size <= max
}

function tooMany({ params, target }: Exchange, size: number, max: number): MockError {
  // Only the dialect knows the name of the size parameter, so it is found by its value.
  const name = params.find(([, value]) => value === String(size))?.[0]
  return new MockError(
    `Failed to list "${target?.resource.name}": ${size} records are more than a page may have. Please ask for at most ${max}.`,
    {
      status: 400,
      code: 'PAGE_TOO_LARGE',
      ...(name !== undefined && { errors: { [name]: `has to be at most ${max}` } }),
    },
  )
}
