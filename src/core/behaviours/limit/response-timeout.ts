import type { Clock } from '../../time/clock.ts'
import { MockError } from '../../errors/mock-error.ts'
import type { Exchange } from '../../http/contract/exchange.ts'
import type { MockResponse } from '../../http/contract/messages.ts'
import type { LimitSettings } from './options.ts'

/** Rejects with 504 or 503 if a response is late (RFC 9110 §15.6.5); the request still runs to its end. */
export function respondInTime(
  answered: Promise<MockResponse>,
  clock: Clock,
  { milliseconds, status, onTimeout }: ResponseTimeout,
): Promise<MockResponse> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      stop()
      onTimeout()
      reject(tooLate(milliseconds, status))
    }
    const stop = clock.after(milliseconds, giveUp, true)
    void answered.then(resolve, reject).finally(stop)
  })
}

interface ResponseTimeout extends NonNullable<LimitSettings['timeout']> {
  onTimeout(): void
}

/** Runs the inner leave hooks on the late response, which is discarded; the timeout response runs the `outer` ones. */
export async function finishLate(
  exchange: Exchange,
  answered: Promise<MockResponse>,
  report: (error: unknown) => void,
  outer: number = Infinity,
): Promise<void> {
  const inner = exchange.responseHooks?.splice(outer) ?? []
  let late = await answered
  for (const leave of [...inner, ...(exchange.responseHooks ?? [])].toReversed()) {
    try {
      late = await leave(late)
    } catch (error) {
      if (!(error instanceof MockError)) report(error)
    }
  }
}

function tooLate(milliseconds: number, status: 503 | 504): MockError {
  const seconds = milliseconds / 1000
  return new MockError(`Failed to answer in time: the response took longer than ${seconds} s.`, {
    status,
    code: 'TIMED_OUT',
    headers: status === 503 ? [['Retry-After', String(Math.max(1, Math.ceil(seconds)))]] : [],
  })
}
