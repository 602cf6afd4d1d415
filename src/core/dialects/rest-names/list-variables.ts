import type { JsonRecord } from '../../json/json.ts'
import type { RenderContext, Result } from '../contract/dialect.ts'
import { contentRange } from '../rest/render-page.ts'
import { toGiven } from './given-params.ts'
import { numberedLinks } from './numbered-links.ts'
import { type Page, toPage } from './page-links.ts'
import { resourceVariables } from './resource-names.ts'
import type { Settings } from './settings.ts'

/**
 * Returns the variables that templates for the bodies of lists can contain, such as `$items`, `$total` and
 * `$next`, each as a function that computes its value.
 */
export function listVariables(
  list: List,
  items: () => readonly unknown[],
  context: RenderContext,
  settings: Settings,
): Record<string, () => unknown> {
  let known: Page | undefined
  const page = (): Page => (known ??= toPage(list, context, settings))
  const count = list.records.length
  const from = list.asked.query.slice?.start ?? 0
  const isPaged = list.asked.paging !== undefined
  const isCounted = list.asked.paging?.style !== 'cursor'
  return {
    ...resourceVariables(context),
    items,
    total: () => list.total,
    counted: () => (asksForCount(context, settings) ? list.total : null),
    count: () => count,
    page: () => page().numberOf(page().index),
    pages: () => page().count,
    lastPage: () => page().numberOf(Math.max(1, page().count) - 1),
    limit: () => page().size ?? null,
    offset: () => from,
    from: () => (count > 0 ? from + 1 : null),
    to: () => (count > 0 ? from + count : null),
    first: () => page().first,
    prev: () => page().previous,
    next: () => page().next,
    last: () => page().last,
    firstOfMany: () => (page().count > 1 ? page().first : null),
    lastOfMany: () => (page().count > 1 ? page().last : null),
    nextPage: () => numberAround(page(), page().next, 1),
    prevPage: () => numberAround(page(), page().previous, -1),
    current: () => page().urlOf(page().index),
    nextCursor: () => page().nextCursor,
    hasNext: () => page().next !== null,
    hasPrev: () => page().previous !== null,
    numberedLinks: () => numberedLinks(page()),
    range: () => (isPaged && isCounted ? contentRange(list, context)[1] : null),
    links: () => (isPaged ? toLinkHeader(page()) : null),
  }
}

/** A list to render. */
export type List = Extract<Result, { type: 'list' }>

/** The names of the variables of a list. */
export const listNames: readonly string[] = [
  'items total counted count page pages lastPage limit offset from to first prev next last nextPage prevPage',
  'firstOfMany lastOfMany current nextCursor hasNext hasPrev numberedLinks range links resource singular model method path route self',
]
  .join(' ')
  .split(' ')

/** The longest `Link` header, in characters, as many clients refuse more than 16 KiB of headers. */
const maxLinkLength = 8192

/** Writes the header `Link` (RFC 8288) with the other pages; null for a list without pages or with a long URL. */
function toLinkHeader({ first, previous, next, last }: Page): string | null {
  const links = Object.entries({ first, prev: previous, next, last }).flatMap(([relation, url]) =>
    url === null ? [] : `<${url}>; rel="${relation}"`,
  )
  const header = links.join(', ')
  return header === '' || header.length > maxLinkLength ? null : header
}

/** Whether a request asks for the number of all records. */
function asksForCount({ params }: RenderContext, settings: Settings): boolean {
  const asked = toGiven(params, settings).own.count.at(-1)?.match['value']
  return asked !== undefined && asked !== 'false' && asked !== '0'
}

function numberAround({ index, numberOf }: Page, url: string | null, step: number): number | null {
  return url === null ? null : numberOf(index + step)
}

/** Returns a record without its id. */
export function withoutId(record: JsonRecord, idField: string): JsonRecord {
  const { [idField]: _, ...fields } = record
  return fields
}
