import { headerOf } from '../../core/http/contract/messages.ts'
import { type RecordedExchange, toAddress } from '../../core/learn/parse-exchange.ts'

/**
 * Counts the JSON responses of each origin in a HAR, the most frequent first. `mock import` learns from the
 * first origin if the user names none.
 */
export function countOrigins(
  exchanges: readonly RecordedExchange[],
): [origin: string, count: number][] {
  const counts = new Map<string, number>()
  for (const { url, body = '', headers } of exchanges) {
    const origin = toAddress(url)?.origin
    const type = headerOf(headers, 'Content-Type') ?? ''
    if (origin === undefined || !/json/i.test(type) || body === '') continue
    counts.set(origin, (counts.get(origin) ?? 0) + 1)
  }
  return [...counts].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
}
