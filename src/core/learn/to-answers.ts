import type { RecordedAnswer } from './learned.ts'
import { compareTexts, isSuccess, type Param, type ParsedExchange } from './parse-exchange.ts'
import { toCanonicalJson } from '../json/canonical-json.ts'
import type { ResourcePaths } from './recognize/resource-paths.ts'
import { isExpanded } from './recognize/extract-records.ts'

/** Returns the last response to each GET, for comparison, with the resources that it contains. */
export function toReads(
  exchanges: readonly ParsedExchange[],
  resourcePaths: ResourcePaths,
  names: ReadonlyMap<string, string>,
): RecordedAnswer[] {
  const reads = exchanges.filter(({ method }) => method === 'GET')
  const lastWrites = new Map<string, number>()
  for (const exchange of exchanges) {
    const resourcePath = isWrite(exchange) ? resourcePaths.find(exchange.segments) : undefined
    if (resourcePath) lastWrites.set(names.get(resourcePath.collection) ?? '', exchange.at)
  }
  return lastOfEach(reads).map((exchange) => {
    const resourcePath = resourcePaths.find(exchange.segments)
    const found = [resourcePath?.collection, resourcePath?.parent?.collection].flatMap(
      (path) => names.get(path ?? '') ?? [],
    )
    const shown = found.length > 0 && isExpanded(exchange.query) ? [...names.values()] : found
    const resources = [...new Set(shown)].toSorted()
    const isOutdated = resources.some((name) => (lastWrites.get(name) ?? -Infinity) > exchange.at)
    return { ...exchange, resources, isOutdated }
  })
}

/** Returns the last response to each write or computation that belongs to no resource. */
export function toAnswers(rest: readonly ParsedExchange[]): RecordedAnswer[] {
  const others = rest.filter(({ method }) => method !== 'GET' && /^[A-Z]+$/.test(method))
  return lastOfEach(others).map((exchange) => ({ ...exchange, resources: [], isOutdated: false }))
}

function isWrite(exchange: ParsedExchange): boolean {
  return /^(?:POST|PUT|PATCH|DELETE)$/.test(exchange.method) && isSuccess(exchange)
}

/** Returns the last exchange of each request; a transient error doesn't replace an earlier response. */
function lastOfEach(exchanges: readonly ParsedExchange[]): ParsedExchange[] {
  const last = new Map<string, ParsedExchange>()
  for (const exchange of exchanges) {
    const key = requestKey(exchange)
    const before = last.get(key)
    if (before && !isTransient(before.status) && isTransient(exchange.status)) continue
    last.set(key, exchange)
  }
  return [...last].toSorted(([a], [b]) => compareTexts(a, b)).map(([, exchange]) => exchange)
}

/** Whether the same request can get another status later: after a login, a rate limit, an error of the server. */
function isTransient(status: number): boolean {
  return status === 401 || status === 403 || status === 429 || status >= 500
}

/** Identifies a request by method, path, query in any order, and body. */
export function requestKey(parts: {
  method: string
  path: string
  query: readonly Param[]
  sent?: unknown
}): string {
  const { method, path, query, sent } = parts
  const hasBody = method !== 'GET' && sent !== undefined
  return toCanonicalJson([method, path, sortQuery(query), ...(hasBody ? [sent] : [])])
}

/** Sorts parameters by name; the values of one name stay in order. */
export function sortQuery(query: readonly Param[]): Param[] {
  return query.toSorted(([a], [b]) => compareTexts(a, b))
}
