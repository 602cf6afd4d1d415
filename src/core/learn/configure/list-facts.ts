import type { Json } from '../../json/json.ts'
import type { Path } from '../../json/path.ts'
import type { ParsedExchange } from '../parse-exchange.ts'
import { findList } from '../recognize/envelope.ts'
import { numberOf } from '../recognize/parameters.ts'

/** Finds the lists in responses, and collects the facts about each list from which its envelope is learned. */
export function toListFacts(exchanges: readonly ParsedExchange[]): ListFacts[] {
  return exchanges.flatMap(({ json, segments, query }): ListFacts[] => {
    const found = findList(json, segments.at(-1))
    if (!found || json === undefined) return []
    return [
      {
        name: segments.at(-1) ?? '',
        json,
        at: found.at,
        count: found.items.length,
        query,
        page: numberOf(query, 'page'),
        limit: numberOf(query, 'limit'),
        offset: numberOf(query, 'start'),
      },
    ]
  })
}

/** A list in a response, with the counts that members of its envelope can contain. */
export interface ListFacts {
  /** The last segment of the path: the name of the collection. */
  name: string
  json: Json
  /** The keys that lead to the records. */
  at: Path
  /** The number of records in the response. */
  count: number
  query: ParsedExchange['query']
  page: number | undefined
  limit: number | undefined
  offset: number | undefined
}

/**
 * Returns the keys that lead to the records in a response, joined with dots; `$resource` replaces the name of
 * the collection.
 */
export function pathOf({ at, name }: ListFacts): string {
  return at.map((key) => (key === name ? '$resource' : key)).join('.')
}

/**
 * Returns the most frequent text and how often it occurs; of equally frequent texts, the alphabetically first.
 */
export function mostFrequent(texts: readonly string[]): [text: string, count: number] | undefined {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))[0]
}
