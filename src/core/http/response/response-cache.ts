import type { Exchange } from '../contract/exchange.ts'
import type { MockResponse } from '../contract/messages.ts'
import { prefersHtml } from './accept.ts'
import { isWide } from './record-json.ts'

/** Keeps responses to GET and HEAD by URL until the data changes; a hit only has to be written. */
export interface ResponseCache {
  get(exchange: Exchange): CachedResponse | undefined
  keep(exchange: Exchange, response: MockResponse): void
}

/** A cached response, and the reasons that the log entry of every later request for its URL repeats. */
export interface CachedResponse {
  response: MockResponse
  reasons: readonly string[]
}

/** The options of a response cache. */
export interface ResponseCacheOptions {
  /** A number that changes with the data. */
  version(): number
  encode(text: string): Uint8Array
  /** The approximate size of all responses, in bytes. @default 134217728 */
  limit?: number | undefined
}

/** A longer body is kept as bytes from its second request on; a shorter one is sent faster as a string. */
const longText = 4096

/** The approximate memory that a response takes besides its strings, in bytes. */
const overhead = 1024

/** Creates the cache of one version. A response is kept at its second request, as most are requested once. */
export function createResponseCache({
  version,
  encode,
  limit = 2 ** 27,
}: ResponseCacheOptions): ResponseCache {
  let responses = new Map<string, CachedResponse>()
  let cachedVersion = version()
  let size = 0
  let rejected = 0
  /** The URLs of earlier requests, of any version, and the number of their characters. */
  const seen = new Set<string>()
  let seenSize = 0

  function clear(): void {
    responses = new Map()
    cachedVersion = version()
    size = 0
    rejected = 0
  }

  /** Whether there was a request for the URL before. */
  function isRepeated(url: string): boolean {
    if (seen.has(url)) return true
    if (seenSize > limit / 64) {
      seen.clear()
      seenSize = 0
    }
    seen.add(url)
    seenSize += url.length
    return false
  }

  return {
    get(exchange) {
      if (cachedVersion !== version()) clear()
      const cached = dependsOnUrl(exchange) ? responses.get(urlOf(exchange)) : undefined
      const body = cached?.response.body
      if (cached && typeof body === 'string' && body.length > longText)
        cached.response = { ...cached.response, body: encode(body) }
      return cached
    },
    keep(exchange, response) {
      const { body } = response
      if (!dependsOnUrl(exchange) || typeof body !== 'string' || body.length > limit / 8) return
      const url = urlOf(exchange)
      if (!isRepeated(url)) return
      if (size > limit) {
        // A full cache is emptied only when it has rejected as many responses as it holds.
        if (rejected++ < responses.size) return
        clear()
      }
      const reasons = exchange.reasons.slice(exchange.hookReasons)
      size += url.length + body.length + reasons.join('').length + overhead
      const encoded = isWide(body) ? { ...response, body: encode(body) } : response
      responses.set(url, { response: encoded, reasons })
    },
  }
}

/** Whether the response depends on the URL alone: not on a preference, nor on who reads it. */
function dependsOnUrl({ method, headers }: Exchange): boolean {
  return (
    (method === 'GET' || method === 'HEAD') &&
    headers['prefer'] === undefined &&
    !prefersHtml(headers)
  )
}

/** Returns the whole URL, also as the client sent it, as links in a response have its origin and its path. */
function urlOf({ origin, path, search, request, rewritten }: Exchange): string {
  const url = origin + path + search
  return rewritten === undefined ? url : `${url} ${request.path}`
}
