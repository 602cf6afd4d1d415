import { isRecord, type Json } from '../../json/json.ts'
import { addToMultimap } from '../../structures/add-to-multimap.ts'
import { baseName } from '../../text/foreign-keys.ts'
import { toKeyTemplate } from '../configure/envelopes.ts'
import { escapeTemplate } from '../configure/text-template.ts'
import { isSuccess, type ParsedExchange } from '../parse-exchange.ts'
import { findList, findRecord } from '../recognize/envelope.ts'
import { isAction, isFixtureName, isIdLike } from '../recognize/ids.ts'
import type { ResourcePaths } from '../recognize/resource-paths.ts'

/** Finds singletons and documents: values at paths without ids; `envelope` is the key of records, if any. */
export function findSingles(
  exchanges: readonly ParsedExchange[],
  resourcePaths: ResourcePaths,
  envelope: string,
): Singles {
  const byPath = new Map<string, ParsedExchange[]>()
  for (const exchange of exchanges) addToMultimap(byPath, exchange.segments.join('/'), exchange)
  const singles: Single[] = []
  const used = new Set<ParsedExchange>()
  for (const [path, all] of byPath) {
    const reads = all.filter(({ method }) => method === 'GET')
    const [read] = reads
    if (!read || !isOfResource(read, resourcePaths) || reads.some(({ query }) => query.length > 0))
      continue
    const shown = all.filter((exchange) => isSuccess(exchange) && isShowing(exchange))
    const value = shown.at(-1)?.json
    if (value === undefined || !shown.some(({ method }) => method === 'GET')) continue
    if (Array.isArray(value) && value.some(isRecord)) continue
    const single = toSingle(path, value, envelope)
    if (shown.some(({ json }) => isRecord(json) !== (single.kind === 'singleton'))) continue
    if (isRecord(value) && findList(value, read.segments.at(-1))) continue
    if (isDatabase(path, value)) continue
    singles.push(single)
    for (const exchange of shown) used.add(exchange)
  }
  return { singles, others: exchanges.filter((exchange) => !used.has(exchange)) }
}

/** A resource that is no collection: a singleton, such as a profile, or a document, such as a list of texts. */
export interface Single {
  path: string
  kind: 'singleton' | 'document'
  value: Json
  /** The envelope of its responses, if it is not that of records. */
  record?: Json
}

/** The singletons and documents among exchanges, and the remaining exchanges. */
export interface Singles {
  singles: Single[]
  others: ParsedExchange[]
}

function isOfResource({ segments }: ParsedExchange, resourcePaths: ResourcePaths): boolean {
  return (
    segments.length > 0 &&
    !resourcePaths.find(segments) &&
    segments.every((segment) => isNoun(segment) && isFixtureName(segment))
  )
}

/** Whether a file of the value would be a database, whose keys are resources: `/db` of json-server. */
function isDatabase(path: string, value: Json): boolean {
  const isNamed = /(?:^|\/)(?:db|database)$/i.test(path)
  return isNamed && isRecord(value) && Object.values(value).some(Array.isArray)
}

function isNoun(segment: string): boolean {
  return !isAction(segment) && !isIdLike(segment) && segment !== 'reports'
}

function isShowing({ method, status, json }: ParsedExchange): boolean {
  return json !== undefined && (method === 'GET' ? status === 200 : /^(?:PUT|PATCH)$/.test(method))
}

function toSingle(path: string, value: Json, envelope: string): Single {
  if (!isRecord(value)) return { path, kind: 'document', value }
  const name = baseName(path)
  const found = findRecord(value, name)
  if (found && toKeyTemplate(found.key, name) === envelope) {
    return { path, kind: 'singleton', value: found.record }
  }
  // Where records stand under their names, a singleton stands under one: `{ user: { … } }` for `/profile`.
  const [first, other] = Object.entries(value)
  if (envelope === '$singular' && first && isRecord(first[1]) && other === undefined) {
    const [key, inner] = first
    return { path, kind: 'singleton', value: inner, record: { [escapeTemplate(key)]: '$record' } }
  }
  return { path, kind: 'singleton', value, ...(envelope !== '' && { record: '$record' }) }
}
