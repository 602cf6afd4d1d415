import { type AllowedOrigins, ours, toCorsHeaders } from './cors.ts'
import { headerOf, type HeaderList, type MockRequest } from '../contract/messages.ts'

/**
 * Creates the CORS headers of a response, which allow the origin of the request and let its pages read every
 * header of the response. Returns no headers for an origin that is not allowed.
 */
export function corsHeaders(
  { headers }: Pick<MockRequest, 'headers'>,
  origins: AllowedOrigins,
  given: HeaderList = [],
): HeaderList {
  const origin = headers['origin']
  if (!isAllowedOrigin(origin, origins)) return []
  if (given.every((line) => usual.has(line[0]))) return toCorsHeaders(origin)
  const names = given.map(([name]) => name).filter((name) => !others.test(name))
  const exposed = [...new Set([...ours, ...names])].join(', ')
  // A browser rejects a response with the same CORS header twice.
  return toCorsHeaders(origin, ['Access-Control-Expose-Headers', exposed]).filter(
    ([name]) => headerOf(given, name) === undefined,
  )
}

/** Whether pages of an origin may read responses. */
export function isAllowedOrigin(origin: string | undefined, origins: AllowedOrigins): boolean {
  return origins === 'any' || (origin !== undefined && origins(origin))
}

/**
 * Describes, for the log, that a browser withholds a response from the page of another origin, and names the
 * option that allows the origin. Returns undefined for any other response, and for a response that sets CORS
 * headers of its own in `given`.
 */
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

/**
 * Matches the headers that `Access-Control-Expose-Headers` does not list: pages can always read them
 * (WHATWG Fetch §2.2.2), can never read them, or do not need them.
 */
const others =
  /^(?:access-control-.*|cache-control|connection|content-(?:language|length|type)|expires|pragma|set-cookie|vary)$/i

/** The headers of nearly all responses. For these, the list of exposed names is built once. */
const usual = new Set([...ours, 'Cache-Control', 'Content-Type'])
