import type { MockRequest } from '../../core/http/contract/messages.ts'
import { withCookies } from './cookies.ts'

/**
 * Completes a request that MSW has intercepted: adds the cookies, which MSW passes apart from the request,
 * and the headers of a preflight, which happy-dom omits.
 */
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
