import { isRecord, type JsonRecord } from '../../json/json.ts'
import type { Clock } from '../../time/clock.ts'
import { drawDelay } from '../../time/draw-delay.ts'
import type { DelaySpan } from '../../time/duration.ts'
import { MockError } from '../../errors/mock-error.ts'
import { phraseOf } from '../../errors/status.ts'
import type { Random } from '../../time/random.ts'
import { wait } from '../../time/wait.ts'
import type { Pattern } from '../../url/pattern.ts'
import type { MockContext } from '../contract/behaviour.ts'
import { pause } from '../contract/early-end.ts'
import type { Exchange } from '../contract/exchange.ts'
import {
  andThen,
  isStream,
  type MaybePromise,
  type MockBody,
  type MockResponse,
} from '../contract/messages.ts'
import { matches } from '../routing/matcher.ts'

/** A rule that simulates something for some requests: a rule of `mock.on`, or a fault of `faults`. */
export interface SimulationRule {
  pattern: Pattern
  /** The number of requests that the rule still applies to. */
  left: number
  /** The share of the matching requests that the rule applies to. @default 1 */
  probability?: number
}

/** Whether a rule applies to a request: the rule has uses left, matches the request, and is drawn. */
export function applies(
  { pattern, left, probability = 1 }: SimulationRule,
  exchange: Exchange,
  random: Random,
): boolean {
  return left > 0 && matches(pattern, exchange) && (probability >= 1 || random() < probability)
}

/** Waits for a simulated delay, then continues. */
export function afterDelay<T>(
  delay: DelaySpan | undefined,
  exchange: Exchange,
  { clock, random }: Pick<MockContext, 'clock' | 'random'>,
  next: () => MaybePromise<T>,
): MaybePromise<T> {
  return andThen(pause(exchange, clock, delay ? drawDelay(delay, random) : 0), next)
}

/** The error of a simulated status; `body` is its detail, or further members of the problem document. */
export function simulatedError(
  status: number,
  code: string,
  body?: string | JsonRecord,
): MockError {
  const detail = typeof body === 'string' ? body : `${phraseOf(status)}, simulated by the mock.`
  return new MockError(detail, { status, code, extensions: isRecord(body) ? body : {} })
}

/** The response of a dropped connection. */
export const dropped: MockResponse = { status: 0, headers: [], body: null }

/**
 * Returns a stream of the first `share` (0 to below 1) of a body, which then breaks the connection; null and
 * streams stay.
 */
export function truncateBody(body: MockBody, share: number): MockBody {
  if (body === null || isStream(body)) return body
  const end = Math.floor(body.length * share)
  const stream = (async function* () {
    yield body.slice(0, end)
    throw new TypeError('A fault truncated the body.')
  })()
  return Object.assign(stream, { source: { body, end } })
}

/** Slows the body of a response down, for the fault `bytesPerSecond`: streams ten chunks per second. */
export function throttleBody(body: MockBody, bytesPerSecond: number, clock: Clock): MockBody {
  if (body === null || isStream(body)) return body
  const size = Math.max(1, Math.ceil(bytesPerSecond / 10))
  const stream = (async function* () {
    for (let at = 0; at < body.length; at += size) {
      const chunk = body.slice(at, at + size)
      yield chunk
      await wait(clock, (chunk.length / bytesPerSecond) * 1000)
    }
  })()
  return Object.assign(stream, { source: { body, end: body.length } })
}
