import type { Clock } from '../../time/clock.ts'
import { MockError } from '../../errors/mock-error.ts'
import type { Exchange } from '../../http/contract/exchange.ts'
import type { MockResponse } from '../../http/contract/messages.ts'
import type { LimitSettings } from './options.ts'

/** How long an answer may take. */
interface TimeOut extends NonNullable<LimitSettings['timeout']> {
  /** Is called when the time is up. */
  end(): void
}

/**
 * Answers in the place of what takes too long, as a gateway does (RFC 9110 §15.6.5): what was asked for
 * goes on behind it, and its effects stay.
 * @throws MockError 504 or 503
 */
export function answerInTime(
  answered: Promise<MockResponse>,
  clock: Clock,
  { milliseconds, status, end }: TimeOut,
): Promise<MockResponse> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      stop()
      end()
      reject(tooLate(milliseconds, status))
    }
    const stop = clock.after(milliseconds, giveUp, true)
    void answered.then(resolve, reject).finally(stop)
  })
}

/**
 * Lets what the later stages do to an answer wait for the one that comes too late, which they see though
 * nobody is sent it: what is sent in its place is none of theirs. `outer` is how many of those who see
 * that come from the earlier stages; `tell` hears what fails.
 */
export async function holdBack(
  exchange: Exchange,
  answered: Promise<MockResponse>,
  tell: (error: unknown) => void,
  outer: number = Infinity,
): Promise<void> {
  const inner = exchange.leaving?.splice(outer) ?? []
  let late = await answered
  for (const leave of [...inner, ...(exchange.leaving ?? [])].toReversed()) {
    try {
      late = await leave(late)
    } catch (error) {
      if (!(error instanceof MockError)) tell(error)
    }
  }
}

function tooLate(milliseconds: number, status: 503 | 504): MockError {
  const seconds = milliseconds / 1000
  return new MockError(`Failed to answer in time: it took longer than ${seconds} s.`, {
    status,
    code: 'TIMED_OUT',
    headers: status === 503 ? [['Retry-After', String(Math.max(1, Math.ceil(seconds)))]] : [],
  })
}
