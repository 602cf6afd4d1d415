import type { MockRequest } from '../../core/http/messages.ts'

/** Adds the cookies that MSW knows to a request that does not show its own, as in a page. */
export function withCookies(
  request: MockRequest,
  cookies: Readonly<Record<string, string>>,
): MockRequest {
  const pairs = Object.entries(cookies)
  if (pairs.length === 0 || request.headers['cookie'] !== undefined) return request
  const cookie = pairs.map(([name, value]) => `${name}=${encode(value)}`).join('; ')
  return { ...request, headers: { ...request.headers, cookie } }
}

/** MSW has decoded the value; only what would end it, or be decoded twice, is encoded again. */
function encode(value: string): string {
  return value.replace(/[%;,\s]/g, encodeURIComponent)
}
