import { parsePattern } from '../url/pattern.ts'
import type { RecordedExchange } from './exchange.ts'
import { learnAll } from './learn-all.ts'
import type { Learned, ExchangeSummary } from './learned.ts'
import { createSummarizer } from './summarizer.ts'
import { createPrivacy } from './privacy/protect.ts'
import { compareExchanges, type ParsedExchange } from './parse/parsed-exchange.ts'
import { toAddress, parseExchange } from './parse/parse-exchange.ts'
import { requestKey } from './to-answers.ts'

/**
 * Creates a learner, which turns exchanges with a real API, from a proxy or a HAR, into fixtures, options and
 * recorded answers. The order in which exchanges are added does not matter, because each has its time.
 * @throws MockError for a pattern that could match no path
 * @example createLearner({ origin: 'https://api.example.com' }).add(exchange).text
 */
export function createLearner(options: LearnerOptions = {}): Learner {
  const patterns = (options.only ?? []).map(parsePattern)
  const privacy = createPrivacy(options.redact)
  const summarize = createSummarizer()
  /** The latest exchange of each read with the same response, and every write. */
  const exchanges = new Map<string, ParsedExchange>()
  let origin = options.origin && (toAddress(options.origin)?.origin ?? options.origin)

  return {
    add(exchange) {
      const parsed = parseExchange(exchange)
      if (!parsed) return nothing('no HTTP URL')
      const { path } = parsed
      origin ??= parsed.origin
      if (parsed.origin !== origin) return nothing('another origin')
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
    const { at, method, status, json, isEmpty } = parsed
    const key =
      requestKey(parsed) + (method === 'GET' ? JSON.stringify([status, json, isEmpty]) : at)
    const before = exchanges.get(key)
    if (!before || compareExchanges(before, parsed) < 0) exchanges.set(key, parsed)
  }
}

/** Learns from the exchanges that are added. */
export interface Learner {
  /** Adds an exchange, and returns its summary. */
  add(exchange: RecordedExchange): ExchangeSummary
  /** Returns everything learned so far, without credentials. Takes time in proportion to the number of exchanges. */
  learned(): Learned
}

/** The options of a learner. */
export interface LearnerOptions {
  /** The origin of the real API; exchanges with other origins are ignored. @default the origin of the first exchange */
  origin?: string
  /** Patterns of the paths to learn from: `/api/*`. @default all */
  only?: readonly string[]
  /**
   * Names of fields whose values are replaced by substitutes, besides fields that look like credentials or
   * personal data; `none` keeps personal data.
   */
  redact?: readonly string[]
}

function nothing(why: string): ExchangeSummary {
  return { kind: 'nothing', text: `nothing: ${why}` }
}
