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

const requestTexts = {
  ifNoneMatch: ['If-None-Match', 'Entity tags. A read of the same representation is 304.'],
  ifModifiedSince: ['If-Modified-Since', 'A date. A read of an older representation is 304.'],
  ifMatch: ['If-Match', 'Entity tags. 412 if the representation has another.'],
  ifUnmodifiedSince: ['If-Unmodified-Since', 'A date. 412 if the representation is newer.'],
  ifNew: ['If-None-Match', '`*` creates the record only if no record has its id; else 412.'],
  prefer: ['Prefer', '`return=minimal` answers 204 without the record.'],
} as const

/** Returns the headers of requests that the pipeline reads as parameters. */
export function pickParameters(...keys: readonly (keyof typeof requestTexts)[]): Parameter[] {
  return keys.map((key) => {
    const [name, description] = requestTexts[key]
    return { name, in: 'header', description, schema: text }
  })
}
