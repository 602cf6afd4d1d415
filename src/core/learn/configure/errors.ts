import { phraseOf } from '../../errors/status.ts'
import { isRecord, type Json } from '../../json/json.ts'
import { addToMultimap } from '../../structures/add-to-multimap.ts'
import { singularOf } from '../../text/plurals.ts'
import type { ParsedExchange } from '../parse-exchange.ts'
import { numberOf } from '../recognize/parameters.ts'
import type { ResourcePaths } from '../recognize/resource-paths.ts'
import { mostFrequent } from './list-template.ts'
import { type TemplateValues, toTemplateOf } from './text-template.ts'

/**
 * Learns the option `errors` of `rest`: for each kind of error, the template of the most frequent body, among the
 * responses to GETs, as a replay compares no others.
 */
export function learnErrors(
  exchanges: readonly ParsedExchange[],
  resourcePaths: ResourcePaths,
): Record<string, Json> {
  const bodies = new Map<string, string[]>()
  for (const exchange of exchanges) {
    const { method, status, json } = exchange
    if (method !== 'GET' || status < 400 || !isRecord(json)) continue
    const template = toTemplateOf(json, variablesOf(exchange, resourcePaths))
    addToMultimap(bodies, kindOf(exchange, resourcePaths), JSON.stringify(template))
  }
  return Object.fromEntries(
    [...bodies]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([kind, all]) => [kind, JSON.parse(mostFrequent(all)?.[0] ?? 'null') as Json]),
  )
}

/** Returns the kind of an error: the code that the mock gives to a 404, otherwise the status. */
function kindOf({ status, segments, query }: ParsedExchange, resourcePaths: ResourcePaths): string {
  if (status !== 404) return String(status)
  const resourcePath = resourcePaths.find(segments)
  if (!resourcePath) return 'RESOURCE_UNKNOWN'
  const isPage = resourcePath.kind === 'collection' && numberOf(query, 'page') !== undefined
  return isPage ? 'PAGE_UNKNOWN' : 'NOT_FOUND'
}

/** Returns the values that the variables of a template have in an error response. */
function variablesOf(
  { method, path, segments, status }: ParsedExchange,
  resourcePaths: ResourcePaths,
): TemplateValues {
  const resourcePath = resourcePaths.find(segments)
  const name =
    resourcePath?.collection.split('/').at(-1) ??
    segments.findLast((segment) => /^[A-Za-z][\w-]*$/.test(segment)) ??
    ''
  const singular = singularOf(name)
  return [
    ['$status', status],
    ['$route', path.slice(1)],
    ['$title', phraseOf(status)],
    ['$id', resourcePath?.kind === 'member' ? resourcePath.id : ''],
    ['$model', toModel(singular)],
    ['$resource', name],
    ['$singular', singular],
    ['$method', method],
  ]
}

/**
 * Returns the name of the class that frameworks give to the records of a resource: `BlogPost` for `blog_post`.
 */
function toModel(singular: string): string {
  return singular
    .split(/[_-]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}
