import type { ErrorFacts } from '../../dialects/rest-names/facts.ts'
import { errorVariables } from '../../dialects/rest-names/variables.ts'
import { isRecord, type Json, parseJson } from '../../json/json.ts'
import { addToMultimap } from '../../structures/add-to-multimap.ts'
import type { ParsedExchange } from '../parse-exchange.ts'
import { numberOf } from '../recognize/parameters.ts'
import type { ResourcePath, ResourcePaths } from '../recognize/resource-paths.ts'
import type { LearnedAnswers } from './dialects.ts'
import { mostFrequent } from './list-template.ts'
import { toRequestFacts, toTemplateOf, valuesOf } from './text-template.ts'

/** Learns the most frequent body of each error, except for those of invalid fields. */
export function learnErrors(
  exchanges: readonly ParsedExchange[],
  resourcePaths: ResourcePaths,
): LearnedAnswers {
  const bodies = new Map<string, string[]>()
  /** The statuses of refused actions on records. */
  const refused: string[] = []
  for (const exchange of exchanges) {
    const { method, status, json, segments } = exchange
    if (status < 400 || !isRecord(json)) continue
    const resourcePath = resourcePaths.find(segments)
    const isAction =
      method !== 'GET' && resourcePaths.find(segments.slice(0, -1))?.kind === 'member'
    const isRefused = isAction && !resourcePath && (status === 409 || status === 422)
    if (isRefused) refused.push(String(status))
    if (method !== 'GET' && !isRefused && (status === 400 || status === 422)) continue
    const template = JSON.stringify(toErrorTemplate(json, exchange, resourcePath?.collection))
    addToMultimap(bodies, isRefused ? 'ACTION_REFUSED' : kindOf(exchange, resourcePath), template)
  }
  const errors = Object.fromEntries(
    [...bodies]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([kind, all]) => [kind, parseJson(mostFrequent(all)?.[0] ?? 'null')]),
  )
  const status = mostFrequent(refused)?.[0] ?? '409'
  return {
    ...(bodies.size > 0 && { errors }),
    ...(status !== '409' && { statuses: { ACTION_REFUSED: Number(status) } }),
  }
}

/** Creates the template of the body of an error, or of a part of it. */
export function toErrorTemplate(
  json: Json,
  exchange: ParsedExchange,
  collection: string | undefined,
): Json {
  return toTemplateOf(json, valuesOf(errorVariables, toErrorFacts(exchange, collection)))
}

/** Returns the kind of an error: the code that the mock gives to a 404, otherwise the status. */
function kindOf({ status, query }: ParsedExchange, resourcePath: ResourcePath | undefined): string {
  if (status !== 404) return String(status)
  if (!resourcePath) return 'RESOURCE_UNKNOWN'
  const isPage = resourcePath.kind === 'collection' && numberOf(query, 'page') !== undefined
  return isPage ? 'PAGE_UNKNOWN' : 'NOT_FOUND'
}

/** Returns the facts of an error that a response shows; the texts of the mock's own error are unknown. */
function toErrorFacts(exchange: ParsedExchange, collection: string | undefined): ErrorFacts {
  const { segments, status } = exchange
  const named = segments.findLast((segment) => /^[A-Za-z][\w-]*$/.test(segment))
  const resource = collection ?? named ?? ''
  return {
    ...toRequestFacts(exchange, resource),
    status,
    code: '',
    reason: '',
    detail: '',
    allowed: null,
    type: null,
    missing: resource,
    faults: [],
    faultBodies: [],
  }
}
