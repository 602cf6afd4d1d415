import type { ExchangeSummary } from '../../core/learn/learned.ts'
import { parsePattern } from '../../core/url/pattern.ts'
import type { ProxiedExchange } from '../../proxy/exchange.ts'
import type { CapturedExchange, LearningOptions, LearningResult } from './learning.ts'
import { startLearning } from './learning-thread.ts'

/** Learns from the exchanges of a proxy while it records. @throws MockError for a wrong pattern */
export function createRecorder(options: RecorderOptions): Recorder {
  const { onExchange, onProblem, onWritten, origin, only, redact, limit, out, cwd, config } =
    options
  only?.forEach(parsePattern)
  /** The exchanges that are not yet learned from, by number. */
  const waiting = new Map<number, ProxiedExchange>()
  /** The exchanges that are learned from and not yet written, by number. */
  const learned = new Map<number, WrittenExchange>()
  let count = 0
  const learning = startLearning({ origin, only, redact, limit, out, cwd, config }, (news) => {
    if (news.kind === 'problem') onProblem(news.message)
    if (news.kind === 'written') {
      const numbers = [...learned.keys()].filter((number) => number <= news.number)
      const exchanges = numbers.flatMap((number) => learned.get(number) ?? [])
      for (const number of numbers) learned.delete(number)
      onWritten?.(exchanges, news.resources)
    }
    if (news.kind !== 'learned') return
    const exchange = waiting.get(news.number)
    waiting.delete(news.number)
    if (!exchange) return
    const { method, path, startedAt } = exchange
    if (onWritten && news.summary.kind !== 'nothing') {
      learned.set(news.number, { method, path, startedAt })
    }
    onExchange(exchange, news.summary)
  })
  return {
    add(exchange) {
      waiting.set(++count, exchange)
      learning.add(capture(exchange, count))
    },
    close: async () => ({ count, ...(await learning.close()) }),
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
export interface RecorderOptions extends LearningOptions {
  /** Is called with each exchange and its summary. */
  onExchange(exchange: ProxiedExchange, summary: ExchangeSummary): void
  /** Is called after each write with the exchanges that it has written, and all resources of the recording. */
  onWritten?(exchanges: readonly WrittenExchange[], resources: readonly string[]): void
  /** Is called with the message of a failed write; the next write tries again. */
  onProblem(message: string): void
}

/** The request of an exchange that is written. */
export type WrittenExchange = Pick<ProxiedExchange, 'method' | 'path' | 'startedAt'>

/** The result of a recording. */
export interface Recorded extends LearningResult {
  count: number
}

function capture(exchange: ProxiedExchange, number: number): CapturedExchange {
  const { startedAt, method, url, requestHeaders, status, headers, failure } = exchange
  return {
    number,
    startedAt,
    method,
    url,
    requestHeaders,
    requestBody: exchange.requestBody.bytes(),
    status,
    headers,
    body: exchange.body.bytes(),
    failure,
  }
}
