import type { HeaderList } from '../contract/messages.ts'

/**
 * The web origins whose pages may read responses (CORS): `'any'`, or a function that returns whether an
 * origin such as `http://localhost:5173` is allowed.
 */
export type AllowedOrigins = 'any' | ((origin: string) => boolean)

/** The response headers that pages may read. */
export const ours: readonly string[] = [
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
const exposeOurs: HeaderList[number] = ['Access-Control-Expose-Headers', ours.join(', ')]

/**
 * Creates the CORS headers that let pages of an origin, or without `origin` any page, read a response. Error
 * responses have these headers too.
 */
export function toCorsHeaders(
  origin: string | undefined,
  expose: HeaderList[number] = exposeOurs,
): HeaderList {
  if (origin === undefined) return [['Access-Control-Allow-Origin', '*'], expose]
  return [
    ['Access-Control-Allow-Origin', origin],
    ['Access-Control-Allow-Credentials', 'true'],
    expose,
  ]
}
