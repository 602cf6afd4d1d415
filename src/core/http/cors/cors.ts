import {
  type HeaderList,
  headerOf,
  type MockRequest,
  type MockResponse,
} from '../contract/messages.ts'

/** The origins whose pages may read responses (CORS): all, or those that the function accepts. */
export type AllowedOrigins = 'any' | ((origin: string) => boolean)

/** The response headers that pages may read. */
export const exposedHeaders: readonly string[] = [
  'Accept-Patch',
  'Accept-Query',
  'Allow',
  'Content-Range',
  'Deprecation',
  'ETag',
  'Idempotency-Replayed',
  'Last-Modified',
  'Link',
  'Location',
  'Preference-Applied',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Sunset',
  'WWW-Authenticate',
  'X-Mock-Ignored',
  'X-Total-Count',
]

// `*` exposes nothing to a request with credentials (WHATWG Fetch §4.10), so the names are listed.
const exposeUsual: HeaderList[number] = ['Access-Control-Expose-Headers', exposedHeaders.join(', ')]

/** The CORS headers that let pages of an origin, or without `origin` any page, read a response. */
export function toCorsHeaders(
  origin: string | undefined,
  expose: HeaderList[number] = exposeUsual,
): HeaderList {
  if (origin === undefined) return [['Access-Control-Allow-Origin', '*'], expose]
  return [
    ['Access-Control-Allow-Origin', origin],
    ['Access-Control-Allow-Credentials', 'true'],
    expose,
  ]
}

/** The CORS headers that let the request's origin read every header; none for an origin that is not allowed. */
export function corsHeaders(
  { headers }: Pick<MockRequest, 'headers'>,
  origins: AllowedOrigins,
  given: HeaderList = [],
): HeaderList {
  const origin = headers['origin']
  if (!isAllowedOrigin(origin, origins)) return []
  if (given.every((line) => commonHeaders.has(line[0]))) return toCorsHeaders(origin)
  const names = given.map(([name]) => name).filter((name) => !neverListed.test(name))
  const exposed = [...new Set([...exposedHeaders, ...names])].join(', ')
  // A browser rejects a response with the same CORS header twice.
  return toCorsHeaders(origin, ['Access-Control-Expose-Headers', exposed]).filter(
    ([name]) => headerOf(given, name) === undefined,
  )
}

/** Whether pages of an origin may read responses. */
export function isAllowedOrigin(origin: string | undefined, origins: AllowedOrigins): boolean {
  return origins === 'any' || (origin !== undefined && origins(origin))
}

/** Says, for the log, why a browser withholds a response from its page, and which option allows the origin. */
export function describeRefusal(
  { headers, origin: own }: MockRequest,
  origins: AllowedOrigins,
  given: HeaderList = [],
): string | undefined {
  const { origin } = headers
  if (origin === undefined || origin === own || headers['sec-fetch-site'] === 'same-origin')
    return undefined
  if (isAllowedOrigin(origin, origins)) return undefined
  if (headerOf(given, 'Access-Control-Allow-Origin') !== undefined) return undefined
  return `CORS hides this response from the page of ${origin}. Please allow its origin with --cors-origin ${origin}.`
}

/** Headers that `Access-Control-Expose-Headers` need not list (WHATWG Fetch §2.2.2), or that no page needs. */
const neverListed =
  /^(?:access-control-.*|cache-control|connection|content-(?:language|length|type)|expires|pragma|set-cookie|vary)$/i

/** The headers of nearly all responses. For these, the list of exposed names is built once. */
const commonHeaders = new Set([...exposedHeaders, 'Cache-Control', 'Content-Type'])

/** Whether a request is a CORS preflight, which a browser sends before others (WHATWG Fetch §4.8). */
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

/** The headers that allow methods, also one that no resource has: the page can then read the 405. */
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
