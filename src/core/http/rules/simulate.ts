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
import { type Exchange, onLeave } from '../contract/exchange.ts'
import {
  andThen,
  isSafe,
  isStream,
  type MaybePromise,
  type MockBody,
  type MockResponse,
} from '../contract/messages.ts'
import { invalidBody } from '../resource/body.ts'
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

/** The place in a body at which a connection breaks: a share from 0 to below 1, or a number of bytes. */
export type BreakPoint = { share: number } | { bytes: number }

/** Returns a stream of a body up to a place, which then breaks the connection; null and streams without a size stay. */
export function truncateBody(body: MockBody, at: BreakPoint): MockBody {
  const whole = toMeasured(body)
  if (!whole) return body
  const end = endOf(at, whole.size)
  const stream = breakAfter(whole.chunks, end, new TypeError('A fault truncated the body.'))
  return Object.assign(
    stream,
    isStream(body) ? { size: whole.size } : { source: { body: whole.source, end } },
  )
}

/** Slows the body of a response down, for the fault `bytesPerSecond`: streams ten chunks per second. */
export function throttleBody(body: MockBody, bytesPerSecond: number, clock: Clock): MockBody {
  const whole = toMeasured(body)
  if (!whole) return body
  const size = Math.max(1, Math.ceil(bytesPerSecond / 10))
  const stream = (async function* () {
    for await (const part of whole.chunks) {
      for (let at = 0; at < part.length; at += size) {
        const chunk = part.slice(at, at + size)
        yield chunk
        await wait(clock, (chunk.length / bytesPerSecond) * 1000)
      }
    }
  })()
  const source = { body: whole.source, end: whole.size }
  return Object.assign(stream, isStream(body) ? { size: whole.size } : { source })
}

/**
 * Drops the connection partway: while the body of the request is read or, if it has none, while the response is sent.
 * The mock stores what a server would that loses its client.
 */
export function dropPartway(exchange: Exchange, at: BreakPoint): void {
  const { request } = exchange
  const stated = request.headers['content-length']
  if (stated === undefined ? isSafe(exchange.method) : Number(stated) === 0) {
    exchange.needsBody = true
    return onLeave(exchange, (response) => ({ ...response, body: truncateBody(response.body, at) }))
  }
  const lost = invalidBody('the connection broke off', 'Please send it again.')
  async function* stream(limit: number): AsyncGenerator<Uint8Array> {
    const bytes = stated === undefined ? await request.bytes?.(limit) : undefined
    const chunks = bytes
      ? [bytes]
      : (request.stream?.(limit) ?? [(await request.bytes?.(limit)) ?? new Uint8Array()])
    yield* breakAfter(chunks, endOf(at, bytes?.length ?? Number(stated)), lost)
  }
  const fail = (): never => {
    throw lost
  }
  exchange.request = { ...request, stream, text: fail, form: fail, bytes: fail, parts: undefined }
  onLeave(exchange, () => dropped)
}

function endOf(at: BreakPoint, size: number): number {
  return 'bytes' in at ? Math.min(at.bytes, size) : Math.floor(size * at.share)
}

/** Passes on the first chunks of a body, and then throws. */
async function* breakAfter<Chunk extends string | Uint8Array>(
  chunks: Iterable<Chunk> | AsyncIterable<Chunk>,
  end: number,
  error: Error,
): AsyncGenerator<Chunk> {
  let left = end
  for await (const chunk of chunks) {
    if (left > 0) yield chunk.slice(0, left) as Chunk
    left -= chunk.length
    if (left <= 0) break
  }
  throw error
}

/** The chunks and the size of a body; undefined without a body, or for a stream without a size. */
function toMeasured(body: MockBody) {
  if (body === null) return undefined
  if (!isStream(body)) return { size: body.length, source: body, chunks: [body] }
  const { size } = body
  return size === undefined ? undefined : { size, source: '', chunks: body }
}
