import type { MockRequest } from '../../core/http/contract/messages.ts'

/**
 * Gives a request that MSW has intercepted its cookies. Without a `Cookie` header, as in a page, adds the
 * cookies that MSW has read; otherwise corrects the separators of the header.
 */
export function withCookies(
  request: MockRequest,
  cookies: Readonly<Record<string, string>>,
): MockRequest {
  const pairs = Object.entries(cookies)
  if (pairs.length === 0) return request
  const present = request.headers['cookie']
  const cookie = present === undefined ? pairs.map(toPair).join('; ') : fixSeparators(present)
  return { ...request, headers: { ...request.headers, cookie } }
}

/**
 * Replaces commas by semicolons (RFC 6265 §4.2.1): MSW 2 appends cookies to the header, and happy-dom
 * joins appended values by commas.
 */
function fixSeparators(header: string): string {
  return header.replace(/, (?=[^\s,;=]+=)/g, '; ')
}

function toPair([name, value]: readonly [name: string, value: string]): string {
  return `${name}=${encode(value)}`
}

/** Encodes the separators and percent signs of a value that MSW has decoded. */
function encode(value: string): string {
  return value.replace(/[%;,\s]/g, encodeURIComponent)
}
