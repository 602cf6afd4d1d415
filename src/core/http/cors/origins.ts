import { type AllowedOrigins, ours, toCorsHeaders } from './cors.ts'
import { headerOf, type HeaderList, type MockRequest } from '../contract/messages.ts'

/**
 * Matches the headers that `Access-Control-Expose-Headers` does not list: pages can always read them
 * (WHATWG Fetch §2.2.2), can never read them, or do not need them.
 */
const others =
  /^(?:access-control-.*|cache-control|connection|content-(?:language|length|type)|expires|pragma|set-cookie|vary)$/i

/** The headers that nearly all responses have, so that their list of exposed names is built once. */
const usual = new Set([...ours, 'Cache-Control', 'Content-Type'])

/** The CORS headers of a response: they allow the origin and expose every header of the response. */
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
 * Describes, for the log, a response that a browser withholds from the page of another origin, and names the
 * option that allows the origin. Undefined for any other response, which sets `given` headers of its own.
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
