import { isSuccess, type ParsedExchange } from '../parse-exchange.ts'
import { findRecord } from '../recognize/envelope.ts'
import type { ResourcePaths } from '../recognize/resource-paths.ts'

/**
 * Groups successful exchanges by request, because envelopes are learned separately for lists, single records
 * and writes. Leaves out exchanges whose resource is no collection.
 */
export function groupExchanges(
  exchanges: readonly ParsedExchange[],
  resourcePaths: ResourcePaths,
): ExchangeGroups {
  const groups: ExchangeGroups = { lists: [], members: [], writes: [] }
  for (const exchange of exchanges) {
    const resourcePath = isSuccess(exchange) ? resourcePaths.find(exchange.segments) : undefined
    if (!resourcePath) continue
    if (exchange.method !== 'GET') groups.writes.push(exchange)
    else groups[resourcePath.kind === 'collection' ? 'lists' : 'members'].push(exchange)
  }
  return groups
}

/** Successful exchanges with collections: GETs of lists, GETs of single records, and writes. */
export interface ExchangeGroups {
  lists: ParsedExchange[]
  members: ParsedExchange[]
  writes: ParsedExchange[]
}

/**
 * Returns the key that holds the record, for each response to a GET of a single record; an empty text if the
 * body is the record.
 */
export function toRecordKeys(members: readonly ParsedExchange[]): string[] {
  return members.flatMap(({ json, segments }) => {
    const found = findRecord(json, segments.at(-2))
    return found ? [found.key ?? ''] : []
  })
}
