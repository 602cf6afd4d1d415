import { withConditions } from './conditional.ts'
import type { Exchange } from '../contract/exchange.ts'
import type { HeaderList, MockRequest, MockResponse } from '../contract/messages.ts'
import { parsePrefer } from '../contract/prefer.ts'
import { isSafe } from '../routing/methods.ts'

/**
 * Applies the conditional headers of a read, whose response becomes 304 if the client already has the body
 * (RFC 9110 §13) and no fault needs the body; or the header `Prefer` of a write, whose response becomes 204 for
 * `return=minimal` (RFC 7240 §4.2). A dialect can ignore some of these headers.
 * @throws MockError 412 for a read whose precondition does not hold
 */
export function settle(exchange: Exchange, response: MockResponse): MockResponse {
  const { request, method, needsBody = false } = exchange
  const { dialect } = exchange.service
  const asked = dialect.conditions
    ? { ...request, headers: dialect.conditions(request.headers) }
    : request
  if (!isSafe(method)) return withPreference(asked, response)
  const settled = withConditions(asked, response)
  return needsBody && settled.status === 304 ? response : settled
}

/** Applies `Prefer: return=...` to the response of a write (RFC 7240 §4.2). */
function withPreference({ headers }: MockRequest, response: MockResponse): MockResponse {
  const preferred = headers['prefer']
  if (preferred === undefined || response.status >= 300) return response
  const wanted = parsePrefer(preferred).get('return')?.toLowerCase() ?? ''
  if (!['minimal', 'representation'].includes(wanted)) return response
  const applied = `return=${wanted}`
  const kept: HeaderList = [...response.headers, ['Preference-Applied', applied]]
  if (applied !== 'return=minimal') return { ...response, headers: kept }
  return { status: 204, headers: kept.filter(([name]) => name !== 'Content-Type'), body: null }
}
