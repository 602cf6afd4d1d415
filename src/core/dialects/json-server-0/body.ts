import { MockError } from '../../errors/mock-error.ts'
import { define, type Json, type JsonRecord, ownValue } from '../../json/json.ts'
import { decodeFormPair } from '../shared/decode-form-pair.ts'
import type { Call } from '../contract/dialect.ts'

/** A body as it was read: fields, or a list in their place. */
export type Body = JsonRecord | Json[]

/**
 * Hands out the body of a request.
 * @throws MockError 415 when it is of a type that cannot be read
 */
export type BodyReader = () => Body

/** Reads the text of one media type. */
const readers: Record<string, (call: Call) => Body> = {
  'application/json': readJson,
  'application/x-www-form-urlencoded': readForm,
}

/**
 * Reads a body before anybody asks for it; none stands for no fields, and one without a type is JSON.
 * @throws MockError 400 when it is malformed, 415 for another charset
 */
export function readBody(call: Call): BodyReader {
  if (call.text === '') return () => ({})
  const [first = '', ...rest] = (call.headers['content-type'] ?? '').toLowerCase().split(';')
  const type = first.trim() || 'application/json'
  const reader = ownValue(readers, type)
  if (!reader) {
    return () => {
      throw unsupported(type)
    }
  }
  const charset = /charset="?([^\s";]+)/.exec(rest.join(';'))?.[1] ?? 'utf-8'
  if (charset !== 'utf-8') throw unsupported(charset)
  const body = reader(call)
  return () => body
}

function readJson(call: Call): Body {
  const body = call.json()
  if (typeof body === 'object' && body !== null) return body
  throw new MockError('Failed to read the body: it is no object. Please send a JSON object.', {
    status: 400,
    code: 'BODY_INVALID',
  })
}

/** How long a form may be, in characters, and how many names it may have. */
const longestForm = 100 * 1024
const mostParts = 1000

/** Reads a form: a name that is repeated holds a list; brackets mean nothing. */
function readForm({ text }: Call): Body {
  const parts = text.split('&')
  if (text.length > longestForm || parts.length > mostParts) {
    throw new MockError('Failed to read the body: it is too large for a form. Please send JSON.', {
      status: 413,
      code: 'BODY_TOO_LARGE',
    })
  }
  const record: JsonRecord = {}
  for (const part of parts) {
    if (part === '') continue
    const [name, value] = decodeFormPair(part)
    const held = ownValue(record, name)
    define(record, name, held === undefined ? value : [held, value].flat())
  }
  return record
}

function unsupported(what: string): MockError {
  return new MockError(
    `Failed to read the body: "${what}" is nothing it can be read as. Please send application/json.`,
    {
      status: 415,
      code: 'TYPE_UNSUPPORTED',
      headers: [['Accept', Object.keys(readers).join(', ')]],
    },
  )
}
