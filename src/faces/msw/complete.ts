import type { MockRequest } from '../../core/http/contract/messages.ts'
import { withCookies } from './cookies.ts'

/** Adds the cookies and preflight headers that an intercepted request lacks. */
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
