import { MockError } from '../../errors/mock-error.ts'
import { define, type Json, type JsonRecord, ownValue } from '../../json/json.ts'
import { decodeFormPair } from '../shared/decode-form-pair.ts'
import type { Call } from '../contract/dialect.ts'

/**
 * Parses the body of a write from JSON or a URL-encoded form; a missing body is an empty object, and a body
 * without a type is JSON. Returns a function, because an unsupported type is an error only when the body is read:
 * methods that ignore the body accept any type.
 * @throws MockError 400 for a malformed body, 415 for a charset other than UTF-8
 */
export function readBody(call: Call): BodyReader {
  if (call.text === '') return () => ({})
  const [first = '', ...rest] = (call.headers['content-type'] ?? '').toLowerCase().split(';')
  const type = first.trim() || 'application/json'
  const parse = ownValue(parsers, type)
  if (!parse) {
    return () => {
      throw unsupported(type)
    }
  }
  const charset = /charset="?([^\s";]+)/.exec(rest.join(';'))?.[1] ?? 'utf-8'
  if (charset !== 'utf-8') throw unsupported(charset)
  const body = parse(call)
  return () => body
}

/**
 * Returns the parsed body of a request.
 * @throws MockError 415 for an unsupported media type
 */
export type BodyReader = () => Body

/** A parsed body: an object of fields, or an array. For any other JSON value, `readBody` throws a MockError 400. */
export type Body = JsonRecord | Json[]

/** Parsers by media type. */
const parsers: Record<string, (call: Call) => Body> = {
  'application/json': parseJson,
  'application/x-www-form-urlencoded': parseForm,
}

function parseJson(call: Call): Body {
  const body = call.json()
  if (typeof body === 'object' && body !== null) return body
  throw new MockError('Failed to read the body: it is not an object. Please send a JSON object.', {
    status: 400,
    code: 'BODY_INVALID',
  })
}

/** The limits of Express's form parser: characters, and name-value pairs. */
const maxFormLength = 100 * 1024
const maxFormPairs = 1000

/** Parses a form: a repeated name becomes an array; brackets have no meaning. */
function parseForm({ text }: Call): Body {
  const parts = text.split('&')
  if (text.length > maxFormLength || parts.length > maxFormPairs) {
    throw new MockError('Failed to read the body: it is too large for a form. Please send JSON.', {
      status: 413,
      code: 'BODY_TOO_LARGE',
    })
  }
  const record: JsonRecord = {}
  for (const part of parts) {
    if (part === '') continue
    const [name, value] = decodeFormPair(part)
    const previous = ownValue(record, name)
    define(record, name, previous === undefined ? value : [previous, value].flat())
  }
  return record
}

/** Creates the error for a media type or a charset. */
function unsupported(name: string): MockError {
  return new MockError(
    `Failed to read the body: "${name}" is not supported. Please send application/json in UTF-8.`,
    {
      status: 415,
      code: 'TYPE_UNSUPPORTED',
      headers: [['Accept', Object.keys(parsers).join(', ')]],
    },
  )
}
