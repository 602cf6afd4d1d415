import {
  type RecordedExchange,
  isSuccess,
  type ParsedExchange,
  toAddress,
  parseExchange,
} from '../../learn/parse-exchange.ts'
import { addToMultimap } from '../../structures/add-to-multimap.ts'
import { decode } from '../../url/pattern.ts'
import { findPrefix, withoutSlash } from '../match-paths.ts'
import type { GetResponse, ObservedResponse, DriftTarget } from '../observe/observed-response.ts'
import { findRole } from './find-role.ts'

/**
 * Finds the responses that show resources of the fixtures in a recording, by resource: those to GETs at the
 * same paths, at any origin and below any prefix.
 */
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
    const found = findRole(response, { path, query, targets })
    if (found) addToMultimap(responses, found.target, found.response)
  }
  return responses
}

interface RecordedResponse {
  /** The URL without its query. */
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
