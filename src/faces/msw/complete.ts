import type { MockRequest } from '../../core/http/contract/messages.ts'
import { withCookies } from './cookies.ts'

/** Puts back into a request what does not come with it where it is caught. */
export function complete(
  request: MockRequest,
  cookies: Readonly<Record<string, string>>,
): MockRequest {
  return withCookies(withPreflight(request), cookies)
}

/**
 * Puts back what makes a request a preflight (Fetch §4.8) and happy-dom leaves out, so that none is
 * taken for a request of its own, which a rule or a missing login could refuse.
 */
function withPreflight(request: MockRequest): MockRequest {
  const { method, headers } = request
  if (method !== 'OPTIONS' || headers['origin'] !== undefined) return request
  if (!headers['user-agent']?.includes('HappyDOM')) return request
  const { origin } = location
  return { ...request, headers: { ...headers, origin, 'access-control-request-method': 'GET' } }
}
