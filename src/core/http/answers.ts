import type { Exchange } from './exchange.ts'
import type { MockResponse } from './messages.ts'

/** An answer that was worked out before, and what its log entry said. */
export interface KnownAnswer {
  response: MockResponse
  reasons: readonly string[]
}

/** Answers to lists, each right for as long as the data stays as it is. */
export interface Answers {
  get(exchange: Exchange): KnownAnswer | undefined
  keep(exchange: Exchange, answer: KnownAnswer): void
}

/** What answers are kept by. */
export interface AnswersOptions {
  /** A number that changes with the data. */
  version(): number
  /** Writes a text as UTF-8. */
  encode(text: string): Uint8Array
  /** How much is kept, in characters. @default 16777216 */
  limit?: number
}

/** A longer text is kept as bytes, so that it is encoded once; a shorter one is written sooner as it is. */
const longText = 4096

/**
 * Creates a place for the answers of one version of the data. It saves a hot list its query, its JSON
 * and its entity tag, which is all but the writing.
 */
export function createAnswers({ version, encode, limit = 2 ** 24 }: AnswersOptions): Answers {
  const known = new Map<string, KnownAnswer>()
  let kept = version()
  let size = 0
  return {
    get(exchange) {
      if (kept !== version()) {
        known.clear()
        kept = version()
        size = 0
      }
      const key = keyOf(exchange)
      return key === undefined ? undefined : known.get(key)
    },
    keep(exchange, answer) {
      const key = keyOf(exchange)
      const { body } = answer.response
      if (key === undefined || typeof body !== 'string' || body.length > limit / 4) return
      if (size + body.length > limit) {
        known.clear()
        size = 0
      }
      size += body.length
      const { response, reasons } = answer
      const kept = body.length > longText ? { ...response, body: encode(body) } : response
      known.set(key, { response: kept, reasons: [...reasons] })
    },
  }
}

/** All that the answer to a plain read depends on; undefined for any other request. */
function keyOf({ method, path, headers, request }: Exchange): string | undefined {
  if ((method !== 'GET' && method !== 'HEAD') || headers['prefer'] !== undefined) return undefined
  return `${headers['accept'] ?? ''} ${path}${request.search}`
}
