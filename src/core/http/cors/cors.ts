import type { HeaderList } from '../contract/messages.ts'

/** Whose pages may read the answers: anybody's, or those of some origins. */
export type AllowedOrigins = 'any' | ((origin: string) => boolean)

/** Every header of ours that a page may want to read. */
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

// A list of names, as `*` covers nothing where credentials are sent (Fetch §4.10).
const exposeOurs: HeaderList[number] = ['Access-Control-Expose-Headers', ours.join(', ')]

/** The headers that let any page read an answer; every answer has such, errors too. */
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
