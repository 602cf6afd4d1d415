import type { Clock } from '../clock.ts'
import { MockError } from '../errors.ts'
import type { Exchange } from '../http/exchange.ts'
import type { MockResponse } from '../http/messages.ts'
import type { LimitSettings } from './limit-options.ts'

/**
 * Answers in the place of what takes too long, as a gateway does (RFC 9110 §15.6.5): what was asked for
 * goes on behind it, and its effects stay. It has `waited` already for so many milliseconds.
 * @throws MockError 504 or 503
 */
export function answerInTime(
  answered: Promise<MockResponse>,
  exchange: Exchange,
  clock: Clock,
  { milliseconds, status }: NonNullable<LimitSettings['timeout']>,
  waited = 0,
): Promise<MockResponse> {
  return new Promise((resolve, reject) => {
    let isLate = false
    const end = (): void => {
      isLate = true
      reject(tooLate(milliseconds, status))
    }
    const stop = clock.after(milliseconds - waited, end, true)
    if (waited >= milliseconds) end()
    const finish = (response: MockResponse): void => {
      stop()
      if (isLate) void leaveLate(exchange, response)
      else resolve(response)
    }
    const fail = (error: unknown): void => {
      stop()
      reject(error)
    }
    answered.then(finish, fail)
  })
}

/** Lets those who wait for the answer see it, though nobody is sent it any more. */
async function leaveLate({ leaving = [] }: Exchange, response: MockResponse): Promise<void> {
  let left = response
  for (let leave = leaving.pop(); leave; leave = leaving.pop()) left = await leave(left)
}

function tooLate(milliseconds: number, status: 503 | 504): MockError {
  const seconds = milliseconds / 1000
  return new MockError(`Failed to answer in time: it took longer than ${seconds} s.`, {
    status,
    code: 'TIMED_OUT',
    headers: status === 503 ? [['Retry-After', String(Math.max(1, Math.ceil(seconds)))]] : [],
  })
}
