import { isSuccess, type ParsedExchange } from '../parse/parsed-exchange.ts'
import { findRecord } from '../recognize/envelope.ts'
import type { ResourcePaths } from '../recognize/resource-paths.ts'
import { mostFrequent } from './list-facts.ts'

/** Successful exchanges with collections, by request: GETs of lists, GETs of single records, and writes. */
export interface ExchangeGroups {
  lists: ParsedExchange[]
  members: ParsedExchange[]
  writes: ParsedExchange[]
}

/** Groups successful exchanges by request; leaves out exchanges with other resources than collections. */
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

/** The keys that lead to the record in responses to GETs of single records; empty if the body is the record. */
export function memberEnvelope({ members }: ExchangeGroups): string[] {
  const paths = members.flatMap(({ json, segments }) => {
    const found = findRecord(json, segments.at(-2))
    return found ? [found.at.join('.')] : []
  })
  return (
    mostFrequent(paths)?.[0]
      .split('.')
      .filter((key) => key !== '') ?? []
  )
}
