import type { RecordedExchange } from '../../learn/exchange.ts'
import { isSuccess, type Reading as RecordedReading } from '../../learn/parse/parsed-exchange.ts'
import { toAddress, toReading } from '../../learn/parse/parse-exchange.ts'
import { addToMultimap } from '../../structures/add-to-multimap.ts'
import { decodePath, findPrefix, withoutSlash } from '../match-paths.ts'
import type { Answer, Reading, Target } from '../observe/observed-response.ts'
import { findRole } from './find-role.ts'

/**
 * Reads the responses to GETs at the paths of the fixtures from a recording, below whatever origin and prefix, by
 * target.
 */
export function fromExchanges(
  exchanges: readonly RecordedExchange[],
  targets: readonly Target[],
  base: string,
): Map<Target, Reading[]> {
  const gets = exchanges.flatMap(toAnswer)
  const prefix = findPrefix(
    gets.map(({ address }) => address),
    targets.map(({ name }) => name.split('/').map(encodeURIComponent).join('/')),
    base,
  )
  const readings = new Map<Target, Reading[]>()
  for (const { address, answer, query } of gets) {
    if (!address.startsWith(`${prefix}/`)) continue
    const path = decodePath(address.slice(prefix.length + 1))
    const found = findRole(answer, { path, query, targets })
    if (found) addToMultimap(readings, found.target, found.reading)
  }
  return readings
}

interface RecordedAnswer {
  /** The URL without its query. */
  address: string
  query: RecordedReading['query']
  answer: Answer
}

function toAnswer(exchange: RecordedExchange): RecordedAnswer[] {
  const url = toAddress(exchange.url)
  const reading = toReading(exchange)
  if (!url || reading?.method !== 'GET' || reading.json === undefined) return []
  const { status, json, headers, query } = reading
  // A redirect says nothing of a resource, nor does an interim response.
  if (!isSuccess(reading) && status < 400) return []
  const path = url.path + url.search
  const address = withoutSlash(url.origin + url.path)
  return [{ address, query, answer: { url: exchange.url, path, status, json, headers } }]
}
