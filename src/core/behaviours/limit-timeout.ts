import type { Clock } from '../clock.ts'
import { MockError } from '../errors.ts'
import type { MockResponse } from '../http/messages.ts'
import type { LimitSettings } from './limit-options.ts'

/**
 * Answers in the place of what takes too long, as a gateway does (RFC 9110 §15.6.5): what was asked for
 * goes on behind it, and its effects stay. It has `waited` already for so many milliseconds.
 * @throws MockError 504 or 503
 */
export function answerInTime(
  answered: Promise<MockResponse>,
  clock: Clock,
  { milliseconds, status }: NonNullable<LimitSettings['timeout']>,
  waited = 0,
): Promise<MockResponse> {
  return new Promise((resolve, reject) => {
    const end = (): void => reject(tooLate(milliseconds, status))
    const stop = clock.after(milliseconds - waited, end, true)
    if (waited >= milliseconds) end()
    void answered.then(resolve).finally(stop)
  })
}

function tooLate(milliseconds: number, status: 503 | 504): MockError {
  const seconds = milliseconds / 1000
  return new MockError(`Failed to answer in time: it took longer than ${seconds} s.`, {
    status,
    code: 'TIMED_OUT',
    headers: status === 503 ? [['Retry-After', String(Math.max(1, Math.ceil(seconds)))]] : [],
  })
}
