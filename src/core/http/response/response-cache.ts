import type { Exchange } from '../contract/exchange.ts'
import type { MockResponse } from '../contract/messages.ts'
import { prefersHtml } from '../pipeline/plain.ts'

/** An answer that was worked out before, and what its log entry said. */
export interface KnownAnswer {
  response: MockResponse
  reasons: readonly string[]
}

/** Answers to reads, each right for as long as the data stays as it is. */
export interface Answers {
  get(exchange: Exchange): KnownAnswer | undefined
  keep(exchange: Exchange, response: MockResponse): void
}

/** What answers are kept by. */
export interface AnswersOptions {
  /** A number that changes with the data. */
  version(): number
  /** Writes a text as UTF-8. */
  encode(text: string): Uint8Array
  /** How much is kept, in bytes, about. @default 134217728 */
  limit?: number | undefined
}

/** A longer text that is asked for again is encoded once and for all; a shorter one is written sooner as it is. */
const longText = 4096

/** What an answer takes up besides its texts, in bytes, about. */
const overhead = 1024

/**
 * Creates a place for the answers of one version of the data. It saves a read its query, its JSON and
 * its entity tag, which is all but the writing.
 */
export function createAnswers({ version, encode, limit = 2 ** 27 }: AnswersOptions): Answers {
  let known = new Map<string, KnownAnswer>()
  let kept = version()
  let size = 0
  let missed = 0

  function clear(): void {
    known = new Map()
    kept = version()
    size = 0
    missed = 0
  }

  return {
    get(exchange) {
      if (kept !== version()) clear()
      const answer = isPlain(exchange) ? known.get(urlOf(exchange)) : undefined
      const body = answer?.response.body
      if (answer && typeof body === 'string' && body.length > longText)
        answer.response = { ...answer.response, body: encode(body) }
      return answer
    },
    keep(exchange, response) {
      const { body } = response
      if (!isPlain(exchange) || typeof body !== 'string' || body.length > limit / 8) return
      if (size > limit) {
        // As long as most of what is asked for is there, nothing makes room for the rest.
        if (missed++ < known.size) return
        clear()
      }
      const url = urlOf(exchange)
      const reasons = exchange.reasons.slice(exchange.told)
      size += url.length + body.length + reasons.join('').length + overhead
      const whole = isWide(body) ? { ...response, body: encode(body) } : response
      known.set(url, { response: whole, reasons })
    },
  }
}

/** Whether a text has more bytes than characters; few have, and to look costs less than to write it. */
export function isWide(text: string): boolean {
  return /[\u0080-\uFFFF]/.test(text)
}

/** Whether the answer depends on the URL alone: not on a preference, nor on who is to read it. */
function isPlain({ method, headers }: Exchange): boolean {
  return (
    (method === 'GET' || method === 'HEAD') &&
    headers['prefer'] === undefined &&
    !prefersHtml(headers)
  )
}

function urlOf({ path, search }: Exchange): string {
  return path + search
}
