import { toMessage } from '../../core/errors/error-details.ts'
import type { Learned, ExchangeSummary } from '../../core/learn/learned.ts'
import { createLearner } from '../../core/learn/learner.ts'
import type { RecordedExchange } from '../../core/learn/parse-exchange.ts'
import { decodeBody } from '../../proxy/decode-body.ts'
import type { ProxiedExchange } from '../../proxy/exchange.ts'
import { type WriteOptions, type Written, writeLearned } from '../files/write-learned.ts'
import { createWriteSchedule } from './write-schedule.ts'

/** Learns from the exchanges of a proxy while it records. @throws MockError for a wrong pattern */
export function createRecorder(options: RecorderOptions): Recorder {
  const { origin, only, redact, limit, out, cwd, onExchange, onProblem } = options
  const learner = createLearner({ origin, ...(only && { only }), ...(redact && { redact }) })
  const write = (): Promise<Written> => writeLearned(learner.learned(), { out, cwd, redact })
  const schedule = createWriteSchedule(write, (error) => onProblem(toMessage(error)))
  // Each exchange has its own turn of the event loop, so that requests are handled in between.
  let queue = Promise.resolve()
  let count = 0

  async function learn(exchange: ProxiedExchange): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
    const reason = reasonToSkip(exchange, limit)
    const recorded = reason === undefined ? await toRecorded(exchange, limit) : undefined
    const summary: ExchangeSummary = recorded
      ? learner.add(recorded)
      : { kind: 'nothing', text: `nothing: ${reason}` }
    onExchange(exchange, summary)
    if (summary.kind !== 'nothing') schedule.request()
  }

  return {
    add(exchange) {
      count++
      queue = queue
        .then(() => learn(exchange))
        .catch((error: unknown) => onProblem(toMessage(error)))
    },
    async close() {
      await queue
      await schedule.close()
      return { count, learned: learner.learned(), written: await write() }
    },
  }
}

/** Learns from exchanges, and writes the learned fixtures, options and answers to files. */
export interface Recorder {
  /** Queues an exchange to learn from later, so that no response waits. */
  add(exchange: ProxiedExchange): void
  /** Learns from the exchanges in the queue and writes the files. @throws MockError when a file cannot be written */
  close(): Promise<Recorded>
}

/** The options of {@link createRecorder}. */
export interface RecorderOptions extends WriteOptions {
  origin: string
  /** Patterns of the paths to learn from. @default all */
  only?: readonly string[] | undefined
  /** Names of fields whose values are replaced, besides those that look like secrets or personal data. */
  redact?: readonly string[] | undefined
  /** The largest body to learn from, in bytes. */
  limit: number
  /** Is called with each exchange and its summary. */
  onExchange(exchange: ProxiedExchange, summary: ExchangeSummary): void
  /** Is called with the message of a failed write; the next write tries again. */
  onProblem(message: string): void
}

/** The result of a recording. */
export interface Recorded {
  count: number
  learned: Learned
  written: Written
}

function reasonToSkip(
  { failure, body, requestBody }: ProxiedExchange,
  limit: number,
): string | undefined {
  if (failure !== '') return failure
  const isLong = body.bytes() === undefined || requestBody.bytes() === undefined
  return isLong ? `a body has more than ${limit} bytes, please raise --limit` : undefined
}

/** Converts an exchange of the proxy to the form that the learner reads: decodes the bodies to text. */
export async function toRecorded(
  exchange: ProxiedExchange,
  limit: number,
): Promise<RecordedExchange> {
  const { startedAt, method, url, requestHeaders, requestBody, status, headers, body } = exchange
  const none = new Uint8Array()
  return {
    startedAt,
    method,
    url,
    requestHeaders,
    requestBody: await decodeBody(requestBody.bytes() ?? none, requestHeaders, limit),
    status,
    headers,
    body: await decodeBody(body.bytes() ?? none, headers, limit),
  }
}
