import type { Header, Parameter } from '../types/openapi.ts'

// The headers of HTTP that the pipeline sends and reads, as an OpenAPI document describes them.

const text = { type: 'string' }

const responseTexts = {
  Allow: 'The methods that the path has.',
  'Accept-Patch': 'The media types of PATCH (RFC 5789).',
  'Accept-Query': 'The media types of QUERY (RFC 10008).',
  Accept: 'The media types that the operation reads.',
  'Cache-Control': 'How long the response may be stored.',
  ETag: 'The entity tag, for `If-None-Match` and `If-Match`.',
  'Last-Modified': 'The time of the last change, where the record has it.',
  Location: 'The URL of the new record.',
  'Preference-Applied': 'The preference of `Prefer` that was applied.',
  Vary: 'The request headers that the response depends on.',
}

/** Returns the descriptions of response headers by name. */
export function pickHeaders(
  ...names: readonly (keyof typeof responseTexts)[]
): Record<string, Header> {
  return Object.fromEntries(
    names.map((name) => {
      const schema = name === 'Location' ? { ...text, format: 'uri-reference' } : text
      return [name, { description: responseTexts[name], schema }]
    }),
  )
}

type RequestHeader =
  | 'ifNoneMatch'
  | 'ifModifiedSince'
  | 'ifMatch'
  | 'ifUnmodifiedSince'
  | 'ifNew'
  | 'prefer'

/** The headers of requests that the pipeline reads. */
export const requestHeaders: Readonly<Record<RequestHeader, Parameter>> = {
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
