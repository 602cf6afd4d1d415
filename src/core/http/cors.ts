import type { HeaderList, MockRequest, MockResponse } from './messages.ts'

/** Whose pages may read the answers: anybody's, those of this machine, or those of these origins. */
export type AllowedOrigins = 'any' | 'loopback' | readonly string[]

/** Every header that a page may want to read; a list, as `*` covers nothing where credentials are sent. */
const exposed = [
  'Accept-Patch',
  'Accept-Query',
  'Allow',
  'Content-Range',
  'Deprecation',
  'ETag',
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
].join(', ')

/** Origins on this machine, by the rule that Vite's dev server has. */
const loopback = /^https?:\/\/(?:(?:[^:/]+\.)?localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/

/** Whether a request asks whether another may be sent (Fetch §4.8, CORS-preflight). */
export function isPreflight({ method, headers }: MockRequest): boolean {
  return (
    method === 'OPTIONS' &&
    headers['origin'] !== undefined &&
    headers['access-control-request-method'] !== undefined
  )
}

/** Answers a preflight: the method and the headers that were asked for, for a day. */
export function answerPreflight(request: MockRequest, origins: AllowedOrigins): MockResponse {
  const headers: HeaderList = [
    ...corsHeaders(request, origins),
    ['Access-Control-Allow-Methods', 'GET, HEAD, QUERY, POST, PUT, PATCH, DELETE, OPTIONS'],
    ['Access-Control-Max-Age', '86400'],
  ]
  const asked = request.headers['access-control-request-headers']
  if (asked) headers.push(['Access-Control-Allow-Headers', asked])
  if (request.headers['access-control-request-private-network']) {
    headers.push(['Access-Control-Allow-Private-Network', 'true'])
  }
  return { status: 204, headers, body: null }
}

/** The headers that let a page read an answer; every answer has them, errors too. */
export function corsHeaders({ headers }: MockRequest, origins: AllowedOrigins): HeaderList {
  const origin = headers['origin']
  if (origin === undefined) {
    return origins === 'any' ? [['Access-Control-Allow-Origin', '*'], expose] : []
  }
  if (!isAllowed(origin, origins)) return []
  return [
    ['Access-Control-Allow-Origin', origin],
    ['Access-Control-Allow-Credentials', 'true'],
    expose,
  ]
}

const expose: HeaderList[number] = ['Access-Control-Expose-Headers', exposed]

function isAllowed(origin: string, origins: AllowedOrigins): boolean {
  if (origins === 'any') return true
  return origins === 'loopback' ? loopback.test(origin) : origins.includes(origin)
}
