import type { HeaderList, MockRequest } from './messages.ts'

/** Whose pages may read the answers: anybody's, those of this machine, or those of these origins. */
export type AllowedOrigins = 'any' | 'loopback' | readonly string[]

/** Every header of ours that a page may want to read. */
const ours = [
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

/** What a page may read anyway (Fetch §2.2.2), may never read, or has no use for. */
const others =
  /^(?:access-control-.*|cache-control|connection|content-(?:language|length|type)|expires|pragma|set-cookie|vary)$/i

/** Origins on this machine, by the rule that Vite's dev server has. */
const loopback = /^https?:\/\/(?:(?:[^:/]+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/

/** Whether a request asks whether another may be sent (Fetch §4.8, CORS-preflight). */
export function isPreflight({ method, headers }: MockRequest): boolean {
  return (
    method === 'OPTIONS' &&
    headers['origin'] !== undefined &&
    headers['access-control-request-method'] !== undefined
  )
}

/**
 * The headers that let a page read an answer; every answer has them, errors too. `more` are headers
 * that others than we have put into it.
 */
export function corsHeaders(
  { headers }: MockRequest,
  origins: AllowedOrigins,
  more?: HeaderList,
): HeaderList {
  const origin = headers['origin']
  if (!isAllowedOrigin(origin, origins)) return []
  const expose = more ? toExpose(more) : exposeOurs
  if (origin === undefined) return [['Access-Control-Allow-Origin', '*'], expose]
  return [
    ['Access-Control-Allow-Origin', origin],
    ['Access-Control-Allow-Credentials', 'true'],
    expose,
  ]
}

/** A list of names, as `*` covers nothing where credentials are sent (Fetch §4.10). */
function toExpose(more: HeaderList): HeaderList[number] {
  const names = more.map(([name]) => name).filter((name) => !others.test(name))
  return ['Access-Control-Expose-Headers', [...new Set([...ours, ...names])].join(', ')]
}

const exposeOurs = toExpose([])

/** Whether pages of an origin may read the answers. */
export function isAllowedOrigin(origin: string | undefined, origins: AllowedOrigins): boolean {
  if (origins === 'any') return true
  if (origin === undefined) return false
  return origins === 'loopback' ? loopback.test(origin) : origins.includes(origin)
}
