import type { Exchange } from './exchange.ts'
import type { MockResponse } from './messages.ts'
import { prefersHtml } from './plain.ts'

/** An answer that was worked out before, and what its log entry said. */
export interface KnownAnswer {
  response: MockResponse
  reasons: readonly string[]
  /** Whether its text has more bytes than characters. */
  isWide: boolean
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

/**
 * A longer text that is asked for again, or one that is wide, is encoded once and for all; a shorter one
 * is written sooner as it is.
 */
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
      if (answer && typeof body === 'string' && (answer.isWide || body.length > longText))
        answer.response = { ...answer.response, body: encode(body) }
      return answer
    },
    keep(exchange, response) {
      const { body } = response
      if (!isPlain(exchange) || typeof body !== 'string' || body.length > limit / 8) return
      // As long as most of what is asked for is there, nothing makes room for the rest.
      if (size > limit && missed++ < known.size) return
      if (size > limit) clear()
      const url = urlOf(exchange)
      const reasons = exchange.reasons.slice(exchange.told)
      const texts = [url, body, ...reasons]
      size += texts.reduce((sum, { length }) => sum + length, overhead)
      known.set(url, { response, reasons, isWide: isWide(response) })
    },
  }
}

/** Whether a text has more bytes than characters; few have, and to look costs less than to write it. */
export function isWide(response: MockResponse): response is MockResponse & { body: string } {
  return typeof response.body === 'string' && /[\u0080-\uFFFF]/.test(response.body)
}

/** Whether the answer depends on the URL alone: not on a preference, nor on who is to read it. */
function isPlain({ method, headers }: Exchange): boolean {
  return (
    (method === 'GET' || method === 'HEAD') &&
    headers['prefer'] === undefined &&
    !prefersHtml(headers)
  )
}

function urlOf({ path, request }: Exchange): string {
  return request.search === '' ? path : path + request.search
}
