import { withConditions } from './conditional.ts'
import type { Exchange } from '../contract/exchange.ts'
import type { HeaderList, MockRequest, MockResponse } from '../contract/messages.ts'
import { isSafe } from '../routing/methods.ts'

/**
 * Answers as the client wants it: not at all where it holds the same already, or without a body where
 * it prefers a write so.
 * @throws MockError 412
 */
export function settle({ request, method }: Exchange, response: MockResponse): MockResponse {
  return isSafe(method) ? withConditions(request, response) : withPreference(request, response)
}

/** Answers a write as the client prefers (RFC 7240 §4.2): with what was written, or without. */
function withPreference({ headers }: MockRequest, response: MockResponse): MockResponse {
  const preferred = headers['prefer']
  if (preferred === undefined || response.status >= 300) return response
  const [, wanted] = /(?:^|,)\s*return\s*=\s*"?(minimal|representation)\b/i.exec(preferred) ?? []
  if (wanted === undefined) return response
  const applied = `return=${wanted.toLowerCase()}`
  const kept: HeaderList = [...response.headers, ['Preference-Applied', applied]]
  if (applied !== 'return=minimal') return { ...response, headers: kept }
  return { status: 204, headers: kept.filter(([name]) => name !== 'Content-Type'), body: null }
}
