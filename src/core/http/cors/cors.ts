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

// `*` exposes nothing to a request with credentials (WHATWG Fetch §4.10), so that the names are listed.
const exposeOurs: HeaderList[number] = ['Access-Control-Expose-Headers', ours.join(', ')]

/** The CORS headers that let any page read a response; error responses have them too. */
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
