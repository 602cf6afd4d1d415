import { MockError } from '../../errors/mock-error.ts'
import { isRecord, type Json, type JsonRecord, define, ownValue } from '../../json/json.ts'
import type { Changes, Data, Call } from '../contract/dialect.ts'
import { configuredKeyTo } from '../shared/configured-keys.ts'
import { isLess, isNil, textOf } from '../shared/js-values.ts'
import { ownProperty } from './path.ts'
import type { Target } from './target.ts'
import { findRecord, ok } from './read.ts'
import { dependentsOf, isArrayLike, keyNamedAfter } from './related.ts'
import { decodeFormPair } from '../shared/decode-form-pair.ts'

/** A POST, PUT, PATCH or DELETE, which `create`, `write` and `remove` turn into changes of the data. */
export interface WriteRequest {
  /** The URL of the request, for the `Location` of a new record. */
  url: string
  /** The resource or record that the path names. */
  target: Target
  body: BodyReader
  data: Data
}

/** Adds a record, with the id in the body unless the id is falsy; or replaces a singleton. */
export function create({ url, target, body: read, data }: WriteRequest): Changes | undefined {
  const { name } = target
  const kind = data.kindOf(name)
  if (kind !== 'singleton' && kind !== 'collection') return undefined
  const body = withParent(fieldsOf(read()), target, data)
  if (kind === 'singleton') {
    const answer = created(url)
    return { changes: [{ action: 'replace', name, record: body }], answer }
  }
  const idField = data.idField(name)
  const id = body[idField] || nextId(data.read(name) as readonly JsonRecord[], idField, data)
  const record = { ...body, [idField]: id }
  return { changes: [{ action: 'create', name, record }], answer: created(`${url}/${textOf(id)}`) }
}

/** Deletes a record and the records that reference it. */
export function remove({ target, data }: WriteRequest): Changes | undefined {
  const record = findRecord(target, data)
  if (!record) return undefined
  const { name } = target
  const idField = data.idField(name)
  const id = textOf(record[idField])
  const dependents = dependentsOf(name, id, data).filter(
    (one) => one.name !== name || one.id !== id,
  )
  return {
    changes: [{ name, id }, ...dependents].map((one) => ({ action: 'remove', ...one })),
    answer: () => ok({}),
  }
}

/** Replaces a record, which keeps its id, or a singleton, or merges the body into it. */
export function write(
  { target, body, data }: WriteRequest,
  action: 'replace' | 'patch',
): Changes | undefined {
  const { name } = target
  const kind = data.kindOf(name)
  const answer: Changes['answer'] = ([stored]) => ok(stored)
  if (target.id === undefined) {
    if (kind !== 'singleton') return undefined
    const base = action === 'patch' ? (data.read(name) as JsonRecord) : {}
    return { changes: [{ action, name, record: { ...base, ...fieldsOf(body()) } }], answer }
  }
  const stored = findRecord(target, data)
  if (!stored) return undefined
  const idField = data.idField(name)
  // The elements of an array become fields named by their index.
  const fields = Object.fromEntries(Object.entries(body()))
  const id = stored[idField] ?? null
  const base = action === 'patch' ? stored : keptByPut(stored)
  const record = { ...base, ...fields, [idField]: id }
  return { changes: [{ action, name, id: textOf(id), record }], answer }
}

/** What PUT keeps of a record: nothing; of an array-like record all fields, as lodash removes its elements alone. */
function keptByPut(record: JsonRecord): JsonRecord {
  if (!isArrayLike(record)) return {}
  const isElement = (key: string): boolean =>
    /^(?:0|[1-9]\d*)$/.test(key) && Number(key) < Number(record['length'])
  return Object.fromEntries(Object.entries(record).filter(([key]) => !isElement(key)))
}

function created(location: string): Changes['answer'] {
  return ([record]) => ({
    ...ok(record),
    status: 201,
    headers: [['Location', encodeUrl(location)]],
  })
}

function withParent(body: JsonRecord, { name, parent }: Target, data: Data): JsonRecord {
  if (!parent) return body
  const key = configuredKeyTo(parent.name, name, data) ?? keyNamedAfter(parent.name, data)
  return { ...body, [key]: parent.id }
}

function fieldsOf(body: Body): JsonRecord {
  if (isRecord(body)) return body
  throw new MockError('Failed to read the body: it is an array. Please send a JSON object.', {
    status: 400,
    code: 'BODY_INVALID',
  })
}

/** Returns the id of a new record: 1 for the first, the highest id plus one if that is a number, else a random text. */
function nextId(records: readonly JsonRecord[], idField: string, data: Data): Json {
  if (records.length === 0) return 1
  let greatest: unknown
  for (const record of records) {
    const id = ownProperty(record, idField)
    if (!isNil(id) && (greatest === undefined || isLess(greatest, id))) greatest = id
  }
  return Number.isFinite(greatest) ? Number(greatest) + 1 : randomText(7, data)
}

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz-'

function randomText(length: number, data: Data): string {
  const letter = (): string => letters.charAt(Math.floor(data.random() * letters.length))
  return Array.from({ length }, letter).join('')
}

/** Percent-encodes the characters that a URL cannot contain; keeps existing encodings. */
function encodeUrl(url: string): string {
  const whole = url.replaceAll(/\p{Surrogate}/gu, '\uFFFD')
  return whole.replaceAll(/[^\u0021\u0023-;=?-_a-z|~]+|%(?![\da-f]{2})/gi, encodeURI)
}

/**
 * Parses the body of a write: JSON, or a URL-encoded form; a missing body is an empty object. Returns a
 * function, because an unsupported type is an error only for methods that read the body.
 * @throws MockError 400 for a malformed body, 415 for a charset other than UTF-8
 */
export function readBody(call: Call): BodyReader {
  if (call.text === '') return () => ({})
  const [first = '', ...rest] = (call.headers['content-type'] ?? '').toLowerCase().split(';')
  const type = first.trim() || 'application/json'
  const parse = ownValue(parsers, type)
  if (!parse) {
    return () => {
      throw unsupportedType(type)
    }
  }
  const charset = /charset="?([^\s";]+)/.exec(rest.join(';'))?.[1] ?? 'utf-8'
  if (charset !== 'utf-8') throw unsupportedType(charset)
  const body = parse(call)
  return () => body
}

/** Returns the parsed body of a write. @throws MockError 415 for an unsupported media type */
type BodyReader = () => Body

/** A parsed body: an object of fields, or an array. For any other JSON value, `readBody` throws a MockError 400. */
type Body = JsonRecord | Json[]

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

function unsupportedType(name: string): MockError {
  return new MockError(
    `Failed to read the body: "${name}" is not supported. Please send application/json in UTF-8.`,
    {
      status: 415,
      code: 'TYPE_UNSUPPORTED',
      headers: [['Accept', Object.keys(parsers).join(', ')]],
    },
  )
}
