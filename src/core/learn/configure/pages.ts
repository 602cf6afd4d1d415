import type { JsonRecord } from '../../json/json.ts'
import { numberOf } from '../recognize/parameters.ts'
import { nextCursorOf } from '../recognize/pages.ts'
import { mostFrequent, type RecordedList } from './list-template.ts'

/** Learns the option `pages` from lists; undefined for lists without pages of their own. */
export function toPages(lists: readonly RecordedList[]): JsonRecord | undefined {
  const sizes = lists.flatMap(({ query, page: { limit } }) =>
    numberOf(query, 'limit') === undefined && limit !== undefined && limit > 0
      ? [String(limit)]
      : [],
  )
  const size = mostFrequent(sizes)?.[0]
  const isFromZero = lists.some(({ page }) => page.firstNumber === 0)
  const isByCursor =
    lists.some((list) => nextCursorOf(list.json) !== undefined) &&
    !lists.some(({ isPage }) => isPage)
  const isByOffset =
    lists.some(({ query }) => numberOf(query, 'start') !== undefined) &&
    !lists.some(({ query }) => numberOf(query, 'page') !== undefined)
  if (size === undefined && !isFromZero && !isByCursor) return undefined
  return {
    ...(isFromZero && { first: 0 }),
    ...(size !== undefined && { size: Number(size), always: true }),
    ...(isByCursor ? { by: 'cursor' } : isByOffset && { by: 'offset' }),
  }
}
