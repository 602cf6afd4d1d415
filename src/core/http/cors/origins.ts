import { type AllowedOrigins, ours, toCorsHeaders } from './cors.ts'
import { headerOf, type HeaderList, type MockRequest } from '../contract/messages.ts'

/** What a page may read anyway (Fetch §2.2.2), may never read, or has no use for. */
const others =
  /^(?:access-control-.*|cache-control|connection|content-(?:language|length|type)|expires|pragma|set-cookie|vary)$/i

/** What nearly all answers have, and no others than these. */
const usual = new Set([...ours, 'Cache-Control', 'Content-Type'])

/** The headers that let a page of some origins read an answer, and all the headers that it has. */
export function corsHeaders(
  { headers }: MockRequest,
  origins: AllowedOrigins,
  given: HeaderList = [],
): HeaderList {
  const origin = headers['origin']
  if (!isAllowedOrigin(origin, origins)) return []
  if (given.every((line) => usual.has(line[0]))) return toCorsHeaders(origin)
  const names = given.map(([name]) => name).filter((name) => !others.test(name))
  const exposed = [...new Set([...ours, ...names])].join(', ')
  // Two of a kind would let no page read the answer.
  return toCorsHeaders(origin, ['Access-Control-Expose-Headers', exposed]).filter(
    ([name]) => headerOf(given, name) === undefined,
  )
}

/** Whether pages of an origin may read the answers. */
export function isAllowedOrigin(origin: string | undefined, origins: AllowedOrigins): boolean {
  return origins === 'any' || (origin !== undefined && origins(origin))
}
