import type { MockRequest } from '../../core/http/contract/messages.ts'
import { withCookies } from './cookies.ts'

/** Adds to a request the cookies that MSW holds apart from it, and the preflight headers that happy-dom omits. */
export function complete(
  request: MockRequest,
  cookies: Readonly<Record<string, string>>,
): MockRequest {
  return withCookies(withPreflight(request), cookies)
}

/**
 * Adds the headers of a preflight (Fetch §4.8), which happy-dom omits. Without them the mock would treat
 * it as an ordinary OPTIONS request, which rules and `auth` can refuse.
 */
function withPreflight(request: MockRequest): MockRequest {
  const { method, headers } = request
  if (method !== 'OPTIONS' || headers['origin'] !== undefined) return request
  if (!headers['user-agent']?.includes('HappyDOM')) return request
  const { origin } = location
  return { ...request, headers: { ...headers, origin, 'access-control-request-method': 'GET' } }
}
