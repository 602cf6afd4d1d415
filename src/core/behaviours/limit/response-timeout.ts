import type { Clock } from '../../time/clock.ts'
import { MockError } from '../../errors/mock-error.ts'
import type { Exchange } from '../../http/contract/exchange.ts'
import type { MockResponse } from '../../http/contract/messages.ts'
import type { LimitSettings } from './options.ts'

/**
 * Applies the option `timeout` of `limit`: rejects if a response takes too long, like a gateway (RFC 9110 §15.6.5).
 * The request still runs to its end, and its effects stay.
 * @throws MockError 504 or 503
 */
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

/**
 * Runs the leave hooks of the later stages on the late response, which is then discarded; the timeout
 * response skips these hooks. `outer` is the number of leave hooks from the stages before `fault`, which
 * run on the timeout response. Errors of hooks go to `report`.
 */
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
