import type { JsonRecord } from '../../json/json.ts'
import { parseParams } from '../../url/params.ts'
import { numberOf } from '../recognize/parameters.ts'
import { nextCursorOf, nextPageOf } from '../recognize/pages.ts'
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
  const max = lists.find(
    ({ query, page: { limit = Infinity } }) => limit < (numberOf(query, 'limit') ?? 0),
  )
  if (size === undefined && !isFromZero && !isByCursor) return undefined
  return {
    ...(isFromZero && { first: 0 }),
    ...(size !== undefined && { size: Number(size), always: true }),
    ...(max?.page.limit !== undefined && { max: max.page.limit }),
    // Links by offset always have it.
    ...(!isByOffset && lists.some(hasSizeInLink) && { sizeInLinks: true }),
    ...(isByCursor ? { by: 'cursor' } : isByOffset && { by: 'offset' }),
  }
}

/** Whether the link to the next page says how many records it has, though the request did not. */
function hasSizeInLink(list: RecordedList): boolean {
  const [, search = ''] = nextPageOf(list)?.split('?') ?? []
  const isAsked = numberOf(list.query, 'limit') !== undefined
  return !isAsked && numberOf(parseParams(`?${search}`), 'limit') !== undefined
}
