import type { Header, Parameter } from '../types/openapi.ts'

// The headers of HTTP that the pipeline sends and reads, as an OpenAPI document describes them.

type HeaderName =
  | 'Allow'
  | 'Accept-Patch'
  | 'Accept-Query'
  | 'Accept'
  | 'Cache-Control'
  | 'ETag'
  | 'Last-Modified'
  | 'Location'
  | 'Preference-Applied'
  | 'Vary'

type RequestHeaderName =
  | 'ifNoneMatch'
  | 'ifModifiedSince'
  | 'ifMatch'
  | 'ifUnmodifiedSince'
  | 'ifNew'
  | 'prefer'

const text = { type: 'string' }

/** The headers of responses that the pipeline adds. */
const responseHeaders: Readonly<Record<HeaderName, Header>> = {
  Allow: { description: 'The methods that the path has.', schema: text },
  'Accept-Patch': { description: 'The media types of PATCH (RFC 5789).', schema: text },
  'Accept-Query': { description: 'The media types of QUERY (RFC 10008).', schema: text },
  Accept: { description: 'The media types that the operation reads.', schema: text },
  'Cache-Control': { description: 'How long the response may be stored.', schema: text },
  ETag: { description: 'The entity tag, for `If-None-Match` and `If-Match`.', schema: text },
  'Last-Modified': {
    description: 'The time of the last change, where the record has it.',
    schema: text,
  },
  Location: {
    description: 'The URL of the new record.',
    schema: { type: 'string', format: 'uri-reference' },
  },
  'Preference-Applied': {
    description: 'The preference of `Prefer` that was applied.',
    schema: text,
  },
  Vary: { description: 'The request headers that the response depends on.', schema: text },
}

/** The headers of requests that the pipeline reads. */
export const requestHeaders: Readonly<Record<RequestHeaderName, Parameter>> = {
  ifNoneMatch: toParameter(
    'If-None-Match',
    'Entity tags. A read of the same representation is 304.',
  ),
  ifModifiedSince: toParameter(
    'If-Modified-Since',
    'A date. A read of an older representation is 304.',
  ),
  ifMatch: toParameter('If-Match', 'Entity tags. 412 if the representation has another.'),
  ifUnmodifiedSince: toParameter(
    'If-Unmodified-Since',
    'A date. 412 if the representation is newer.',
  ),
  ifNew: toParameter(
    'If-None-Match',
    '`*` creates the record only if no record has its id; else 412.',
  ),
  prefer: toParameter('Prefer', '`return=minimal` answers 204 without the record.'),
}

function toParameter(name: string, description: string): Parameter {
  return { name, in: 'header', description, schema: text }
}

/** Returns the descriptions of response headers by name. */
export function pickHeaders(...names: readonly HeaderName[]): Record<string, Header> {
  return Object.fromEntries(names.map((name) => [name, responseHeaders[name]]))
}
