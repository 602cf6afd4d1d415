import { type AllowedOrigins, corsHeaders } from './cors.ts'
import type { HeaderList, MockRequest, MockResponse } from '../contract/messages.ts'

/**
 * Returns whether a request is a CORS preflight: OPTIONS with `Origin` and `Access-Control-Request-Method`,
 * which a browser sends before a cross-origin request (WHATWG Fetch §4.8).
 */
export function isPreflight({ method, headers }: MockRequest): boolean {
  return (
    method === 'OPTIONS' &&
    headers['origin'] !== undefined &&
    headers['access-control-request-method'] !== undefined
  )
}

/** Answers a preflight: allows the requested method and headers for a day. */
export function answerPreflight(request: MockRequest, origins: AllowedOrigins): MockResponse {
  const cors = corsHeaders(request, origins)
  const headers: HeaderList = [
    ...cors,
    ['Cache-Control', 'no-store'],
    ['Vary', 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers'],
    ...(cors.length > 0 ? permissions(request) : []),
  ]
  return { status: 204, headers, body: null }
}

/**
 * Returns the headers that allow methods. They include a requested method that no resource has: the page can
 * read the 405.
 */
function permissions({ headers }: MockRequest): HeaderList {
  const method = headers['access-control-request-method'] ?? ''
  const asked = headers['access-control-request-headers']
  const lines: HeaderList = [
    ['Access-Control-Allow-Methods', [...new Set([...allMethods, method])].join(', ')],
    ['Access-Control-Max-Age', '86400'],
  ]
  if (asked) lines.push(['Access-Control-Allow-Headers', asked])
  if (headers['access-control-request-private-network'])
    lines.push(['Access-Control-Allow-Private-Network', 'true'])
  return lines
}

/** The methods of all resources. */
export const allMethods: readonly string[] = [
  'GET',
  'HEAD',
  'QUERY',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
]
