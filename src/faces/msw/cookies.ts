import type { MockRequest } from '../../core/http/contract/messages.ts'

/** Adds the cookies that MSW knows to a request that does not show its own, as in a page. */
export function withCookies(
  request: MockRequest,
  cookies: Readonly<Record<string, string>>,
): MockRequest {
  const pairs = Object.entries(cookies)
  if (pairs.length === 0) return request
  const shown = request.headers['cookie']
  const cookie = shown === undefined ? pairs.map(toPair).join('; ') : separate(shown)
  return { ...request, headers: { ...request.headers, cookie } }
}

/** MSW 2 appends cookies to the header, which happy-dom joins by commas, not as RFC 6265 §4.2.1 has it. */
function separate(header: string): string {
  return header.replace(/, (?=[^\s,;=]+=)/g, '; ')
}

function toPair([name, value]: readonly [name: string, value: string]): string {
  return `${name}=${encode(value)}`
}

/** MSW has decoded the value; only what would end it, or be decoded twice, is encoded again. */
function encode(value: string): string {
  return value.replace(/[%;,\s]/g, encodeURIComponent)
}
