import { toMessage } from '../../core/errors/error-details.ts'
import type { HeaderList } from '../../core/http/contract/messages.ts'
import type { ExchangeSummary, Learned } from '../../core/learn/learned.ts'
import { createLearner } from '../../core/learn/learner.ts'
import type { RecordedExchange } from '../../core/learn/parse-exchange.ts'
import { decodeBody, decodeBytes } from '../../proxy/decode-body.ts'
import { type WriteOptions, type Written, writeLearned } from '../files/write-learned.ts'
import { createDraft } from '../prove/prove.ts'
import { createWriteSchedule } from './write-schedule.ts'

/** Learns from captured exchanges one after the other, and writes what it learned. `report` gets the news. */
export function createLearning(
  options: LearningOptions,
  report: (news: LearningNews) => void,
): Learning {
  const { origin, only, redact, limit, out, cwd, config } = options
  const learner = createLearner({ origin, ...(only && { only }), ...(redact && { redact }) })
  const target = { out, cwd, redact, config, session: {} }
  const onError = (error: unknown): void => report({ kind: 'problem', message: toMessage(error) })
  const draft = createDraft()
  const schedule = createWriteSchedule(writeDraft, onError)
  let queue = Promise.resolve()
  let last = 0
  /** The number of the last exchange that was learned from, and what was written last. */
  let count = 0
  let written: Learned | undefined

  async function writeDraft(): Promise<void> {
    const [number, learned] = [count, learner.learned()]
    if (learned !== written) await writeLearned(learned, { ...target, draft })
    written = learned
    report({ kind: 'written', number, resources: learned.resources.map(({ name }) => name) })
  }

  async function learn(exchange: CapturedExchange): Promise<void> {
    // Each exchange has its own turn of the event loop, so that this thread can do other things in between.
    await new Promise((resolve) => setImmediate(resolve))
    const { number } = exchange
    const reason = reasonToSkip(exchange, limit)
    const recorded = reason === undefined ? await toRecorded(exchange, limit) : undefined
    const summary: ExchangeSummary = recorded
      ? learner.add(recorded)
      : { kind: 'nothing', text: `nothing: ${reason}` }
    count = number
    report({ kind: 'learned', number, summary })
    if (summary.kind !== 'nothing') schedule.request()
  }

  async function reportIdle(learned: Promise<void>, number: number): Promise<void> {
    await learned
    await schedule.settled()
    if (last === number) report({ kind: 'idle', number })
  }

  return {
    add(exchange) {
      last = exchange.number
      queue = queue.then(() => learn(exchange)).catch(onError)
      void reportIdle(queue, exchange.number)
    },
    async close() {
      await queue
      await schedule.close()
      const learned = learner.learned()
      return { learned, written: await writeLearned(learned, target) }
    },
  }
}

/** Learns from exchanges, and writes the learned fixtures, options and answers to files. */
export interface Learning {
  add(exchange: CapturedExchange): void
  /** Learns from the exchanges in the queue and writes the files. @throws MockError when a file cannot be written */
  close(): Promise<LearningResult>
}

/** The options of {@link createLearning}: plain data, which another thread can get. */
export interface LearningOptions extends WriteOptions {
  origin: string
  /** Patterns of the paths to learn from. @default all */
  only?: readonly string[] | undefined
  /** Names of fields whose values are replaced, besides those that look like secrets or personal data. */
  redact?: readonly string[] | undefined
  /** The largest body to learn from, in bytes. */
  limit: number
}

/** Everything that was learned and written. */
export interface LearningResult {
  learned: Learned
  written: Written
}

/**
 * `written` says what was learned from the exchanges up to a number, `idle` that no other write follows; after a
 * `problem`, the next write tries again.
 */
export type LearningNews =
  | { kind: 'learned'; number: number; summary: ExchangeSummary }
  | { kind: 'written'; number: number; resources: string[] }
  | { kind: 'problem'; message: string }
  | { kind: 'idle'; number: number }

/** An exchange as plain data; a body is undefined if it has more bytes than the limit. */
export interface CapturedExchange {
  /** The exchanges of a recording are numbered from 1. */
  number: number
  startedAt: number
  method: string
  url: string
  requestHeaders: HeaderList
  requestBody: Uint8Array | undefined
  status: number
  headers: HeaderList
  body: Uint8Array | undefined
  failure: string
}

function reasonToSkip(
  { failure, body, requestBody }: CapturedExchange,
  limit: number,
): string | undefined {
  if (failure !== '') return failure
  const isLong = body === undefined || requestBody === undefined
  return isLong ? `a body has more than ${limit} bytes, please raise --limit` : undefined
}

/** Converts an exchange to the form that the learner reads: decodes the bodies to text. */
async function toRecorded(exchange: CapturedExchange, limit: number): Promise<RecordedExchange> {
  const { startedAt, method, url, requestHeaders, requestBody, status, headers, body } = exchange
  const none = new Uint8Array()
  const text = await decodeBody(body ?? none, headers, limit)
  const bytes = text === undefined ? await decodeBytes(body ?? none, headers, limit) : undefined
  return {
    startedAt,
    method,
    url,
    requestHeaders,
    requestBody: await decodeBody(requestBody ?? none, requestHeaders, limit),
    status,
    headers,
    body: text,
    ...(bytes && bytes.length > 0 && { base64: Buffer.from(bytes).toString('base64') }),
  }
}
