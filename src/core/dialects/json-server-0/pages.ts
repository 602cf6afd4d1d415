import type { Json } from '../../json/json.ts'
import { textOf } from '../shared/js-values.ts'
import type { Parameters, Value } from './query-string.ts'

/** Cuts the page out of a list that `_page`, `_end` or `_limit` selects; the first of them that is present wins. */
export function cutPage(records: readonly Json[], parameters: Parameters, url: string): Page {
  const { _page, _end, _limit, _start } = parameters
  if (!_page && !_end && !_limit) return { records, headers: [] }
  const total: Page['headers'] = [['X-Total-Count', String(records.length)]]
  if (_page) {
    const page = cutNumbered(records, Math.max(1, whole(_page) || 1), whole(_limit) || 10, url)
    return { records: page.records, headers: [...total, ...page.headers] }
  }
  const start = whole(_start) || 0
  const end = _end ? whole(_end) : start + whole(_limit)
  return { records: records.slice(start, end), headers: total }
}

/**
 * The records of a page, and the response headers `X-Total-Count` and, for `_page`, `Link`. Without paging
 * parameters, all records and no headers.
 */
export interface Page {
  records: readonly Json[]
  headers: [name: string, value: string][]
}

function cutNumbered(records: readonly Json[], page: number, size: number, url: string): Page {
  const end = page * size
  const cut = records.slice((page - 1) * size, end)
  const isPart = cut.length > 0 && cut.length < records.length
  const links = isPart && {
    first: 1,
    ...(page > 1 && { prev: page - 1 }),
    ...(end < records.length && { next: page + 1 }),
    last: Math.ceil(records.length / size),
  }
  // Like json-server, replaces the first `page=` of the URL, whichever parameter it belongs to.
  const link = Object.entries(links).map(
    ([relation, to]) => `<${url.replace(`page=${page}`, `page=${to}`)}>; rel="${relation}"`,
  )
  return { records: cut, headers: [['Link', link.join(', ')]] }
}

function whole(value: Value | undefined): number {
  return Number.parseInt(textOf(value), 10)
}
