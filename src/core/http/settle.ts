import { withConditions } from './conditional.ts'
import type { Exchange } from './exchange.ts'
import type { MockResponse } from './messages.ts'
import { withPreference } from './prefer.ts'
import { isSafe } from './methods.ts'

/**
 * Answers as the client wants it: not at all where it holds the same already, or without a body where
 * it prefers a write so.
 * @throws MockError 412
 */
export function settle({ request, method }: Exchange, response: MockResponse): MockResponse {
  return isSafe(method) ? withConditions(request, response) : withPreference(request, response)
}
