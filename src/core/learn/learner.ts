import { parsePattern } from '../url/pattern.ts'
import type { RecordedExchange } from './exchange.ts'
import { learnAll } from './learn-all.ts'
import type { Learned, ExchangeSummary } from './learned.ts'
import { createSummarizer } from './summarizer.ts'
import { createPrivacy } from './privacy/protect.ts'
import { compareExchanges, type ParsedExchange } from './parse/parsed-exchange.ts'
import { toAddress, parseExchange } from './parse/parse-exchange.ts'
import { requestKey } from './to-answers.ts'

/** The options of a learner. */
export interface LearnerOptions {
  /** The origin of the real API; exchanges with other origins are ignored. @default the origin of the first exchange */
  origin?: string
  /** Patterns of the paths to learn from: `/api/*`. @default all */
  only?: readonly string[]
  /**
   * Names of fields whose values are replaced by substitutes, besides those that look like credentials or
   * personal data; `none` leaves personal data as it is.
   */
  redact?: readonly string[]
}

/** Learns records and a configuration from exchanges with a real API. */
export interface Learner {
  /** Adds an exchange, and returns its summary. */
  add(exchange: RecordedExchange): ExchangeSummary
  /** Everything learned so far, without credentials. Takes time in proportion to all exchanges. */
  learned(): Learned
}

/**
 * Creates a learner. The order in which exchanges are added does not matter, as each has its time.
 * @throws MockError for a pattern that could match no path
 * @example createLearner({ origin: 'https://api.example.com' }).add(exchange).text
 */
export function createLearner(options: LearnerOptions = {}): Learner {
  const patterns = (options.only ?? []).map(parsePattern)
  const privacy = createPrivacy(options.redact)
  const summarize = createSummarizer()
  /** By request and response: a repeated exchange is kept once, with its last time. */
  const exchanges = new Map<string, ParsedExchange>()
  let origin = options.origin && (toAddress(options.origin)?.origin ?? options.origin)

  return {
    add(exchange) {
      const address = toAddress(exchange.url)
      const parsed = address && parseExchange(exchange)
      if (!parsed) return nothing('no HTTP URL')
      origin ??= address.origin
      if (address.origin !== origin) return nothing('another origin')
      const { path } = parsed
      if (patterns.length > 0 && !patterns.some(({ match }) => match(path))) {
        return nothing('not among the paths to learn')
      }
      const summary = summarize(parsed)
      if (summary.kind !== 'nothing') keep(parsed)
      return summary
    },
    learned() {
      const sorted = [...exchanges.values()].toSorted(compareExchanges)
      return learnAll(origin ?? '', privacy.protect(sorted))
    },
  }

  function keep(parsed: ParsedExchange): void {
    const { status, json, isEmpty } = parsed
    const isRead = parsed.method === 'GET'
    const key = requestKey(parsed) + (isRead ? JSON.stringify([status, json, isEmpty]) : parsed.at)
    const before = exchanges.get(key)
    if (!before || compareExchanges(before, parsed) < 0) exchanges.set(key, parsed)
  }
}

function nothing(why: string): ExchangeSummary {
  return { kind: 'nothing', text: `nothing: ${why}` }
}
