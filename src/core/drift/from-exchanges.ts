import { isRecord, type JsonRecord } from '../json/json.ts'
import {
  type RecordedExchange,
  isSuccess,
  type ParsedExchange,
  toAddress,
  parseExchange,
  type Param,
} from '../learn/parse-exchange.ts'
import { type ParameterRole, roleOf } from '../learn/recognize/parameters.ts'
import { addToMultimap } from '../structures/add-to-multimap.ts'
import { decode } from '../url/pattern.ts'
import { withoutSlash } from '../url/uri.ts'
import { findPrefix } from './match-paths.ts'
import type { GetResponse, ObservedResponse, DriftTarget } from './observe/explore.ts'
import { recordsIn } from '../learn/recognize/envelope.ts'

/** Finds the GETs of a recording with the paths of resources, at any origin below any prefix. */
export function fromExchanges(
  exchanges: readonly RecordedExchange[],
  targets: readonly DriftTarget[],
  base: string,
): Map<DriftTarget, ObservedResponse[]> {
  const gets = exchanges.flatMap(toResponses)
  const prefix = findPrefix(
    gets.map(({ address }) => address),
    targets.map(({ name }) => name.split('/').map(encodeURIComponent).join('/')),
    base,
  )
  const responses = new Map<DriftTarget, ObservedResponse[]>()
  for (const { address, response, query } of gets) {
    if (!address.startsWith(`${prefix}/`)) continue
    const path = decode(address.slice(prefix.length + 1))
    // If a request selects fields, the response lacks the other fields on purpose.
    if (valuesOf(query, 'fields').length > 0) continue
    const [target, role] = findRole(path, response, targets) ?? []
    if (!target || !role) continue
    addToMultimap(responses, target, { ...withoutEmbeds(response, query, target), role })
  }
  return responses
}

interface RecordedResponse {
  address: string
  query: ParsedExchange['query']
  response: GetResponse
}

function toResponses(exchange: RecordedExchange): RecordedResponse[] {
  const url = toAddress(exchange.url)
  const parsed = parseExchange(exchange)
  if (!url || parsed?.method !== 'GET' || parsed.json === undefined) return []
  const { status, json, headers, query } = parsed
  // Redirects and interim responses contain no resource.
  if (!isSuccess(parsed) && status < 400) return []
  const path = url.path + url.search
  const address = withoutSlash(url.origin + url.path)
  return [{ address, query, response: { url: exchange.url, path, status, json, headers } }]
}

/** Finds the resource and the role of a response by its decoded path, such as `posts/1`. */
function findRole(
  path: string,
  { status, json }: GetResponse,
  targets: readonly DriftTarget[],
): [target: DriftTarget, role: ObservedResponse['role']] | undefined {
  const whole = targets.find(({ name }) => path === name)
  if (whole) return [whole, whole.kind === 'collection' ? 'list' : 'whole']
  const collections = targets.filter(({ kind }) => kind === 'collection')
  const outer = collections.find(({ name }) => path.startsWith(`${name}/`))
  if (!outer) return undefined
  const [, child, ...deeper] = path.slice(outer.name.length + 1).split('/')
  if (child === undefined) return [outer, status === 404 || status === 410 ? 'unknown' : 'member']
  const nested = collections.find(({ name }) => name === child)
  if (!nested || deeper.length > 0 || !recordsIn(json, nested.name)) return undefined
  return [nested, 'data']
}

/** Returns a response without the fields that a parameter such as `_embed=author` has added. */
function withoutEmbeds(
  response: GetResponse,
  query: readonly Param[],
  { name }: DriftTarget,
): GetResponse {
  const added = valuesOf(query, 'embed').flatMap((value) => value.split(/[,.]/))
  if (added.length === 0) return response
  const strip = (row: JsonRecord): JsonRecord =>
    Object.fromEntries(Object.entries(row).filter(([key]) => !added.includes(key)))
  const records = recordsIn(response.json, name)
  if (records) return { ...response, json: records.map(strip) }
  return isRecord(response.json) ? { ...response, json: strip(response.json) } : response
}

function valuesOf(query: readonly Param[], role: ParameterRole): string[] {
  return query.flatMap(([name, value]) => (roleOf(name, value) === role ? [value] : []))
}
