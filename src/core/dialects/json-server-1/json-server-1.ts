import type { MockError } from '../../errors/mock-error.ts'
import { isRecord, type Json, ownValue } from '../../json/json.ts'
import { createRandom } from '../../time/random.ts'
import { decodeSegment } from '../../url/segment.ts'
import type {
  Answer,
  Call,
  Change,
  Changes,
  Data,
  Deviation,
  Dialect,
} from '../contract/dialect.ts'
import { embed, listRecords } from './list.ts'
import { type Asked, create, patch, randomId, remove, replace } from './write.ts'
import { recordsOf } from './related.ts'
import { rest } from '../rest/rest.ts'

/**
 * Answers as json-server 1.0.0-beta.15 does.
 * @example createMock({ fixtures, dialect: jsonServer1 })
 */
export const jsonServer1: Dialect = {
  ...rest,
  name: 'json-server-1',
  indent: 2,
  load: toTextIds,
  locate,
  serve,
  renderError,
}

const type = 'application/json'

/** A resource, or a record of it. */
interface Place {
  name: string
  id?: string
}

/** What a method changes; undefined when there is nothing it could do it to. */
const actions: Record<string, (asked: Asked) => Change[] | undefined> = {
  POST: create,
  PUT: replace,
  PATCH: patch,
  DELETE: remove,
}

function serve(call: Call, data: Data): Answer | Changes {
  const { method, search } = call
  // Nothing that stands before its routes knows a path that begins with two slashes.
  const isDoubled = call.path.startsWith('//')
  if (method === 'OPTIONS') {
    return isDoubled ? notFound : { status: 204, headers: [allow], value: undefined }
  }
  const body = Object.hasOwn(actions, method) && !isDoubled ? readBody(call) : undefined
  const place = locate(call, data.names())
  if (!place) return notFound
  if (method === 'GET' || method === 'HEAD') return read(place, search, data)
  const needsBody = method === 'POST' ? place.id === undefined : method !== 'DELETE'
  const action = ownValue(actions, method)
  if (!action) return notFound
  if (needsBody && !isRecord(body)) return notObject
  const changes = action({ ...place, body: isRecord(body) ? body : {}, search, data })
  if (!changes) return notFound
  return { changes, answer: ([stored]) => answer(stored, method === 'POST' ? 201 : 200) }
}

const allow: [string, string] = ['Allow', 'GET, HEAD, PUT, PATCH, POST, DELETE']
const notFound: Answer = { status: 404, headers: [], value: { error: 'Not Found' }, type }
const notObject: Answer = {
  status: 400,
  headers: [],
  value: { error: 'Body must be a JSON object' },
  type,
}

/** A text is sent as it is, and null as nothing. */
function answer(value: unknown, status = 200): Answer {
  const text = typeof value === 'string' ? value : value === null ? '' : undefined
  return { status, headers: [], value, type, ...(text !== undefined && { text }) }
}

/** Whatever type a body has, it is read as JSON; none stands for no fields. */
function readBody(call: Call): Json {
  return call.text === '' ? {} : call.json()
}

/** What a path stands for: a resource, also one of a folder, or else a record of one. */
function locate({ path }: Pick<Call, 'path'>, known: readonly string[]): Place | undefined {
  const segments = path.replace(/^\/+/, '').replace(/\/$/, '').split('/')
  if (segments.includes('')) return undefined
  const names = segments.map(decodeSegment)
  const whole = names.join('/')
  const parent = names.slice(0, -1).join('/')
  const id = names.at(-1)
  if (names.length === 1 || known.includes(whole)) return { name: whole }
  const isMember = names.length === 2 || known.includes(parent)
  return isMember && id !== undefined ? { name: parent, id } : undefined
}

function read({ name, id }: Place, search: string, data: Data): Answer {
  if (id === undefined) {
    const records = recordsOf(name, data)
    const value = records ? listRecords(records, name, search, data) : data.read(name)
    return value === undefined ? notFound : answer(value)
  }
  const record = data.find(name, id)
  if (!record) return notFound
  return answer(embed([data.shown(name, record)], name, search, data)[0])
}

/** Ids are texts: numbers become such, and a record without one gets one, the same at every start. */
function toTextIds(name: string, value: Json, idField: string): Json {
  if (!Array.isArray(value) || !value.every(isRecord)) return value
  return value.map((record, index) => {
    const id = ownValue(record, idField)
    if (id === undefined)
      return { ...record, [idField]: randomId(createRandom(`${name}/${index}`)) }
    return typeof id === 'number' ? { ...record, [idField]: String(id) } : record
  })
}

/** What is not found, or has no such method, is answered by one text; all else says what is wrong. */
function renderError({ status, code, message, errors, headers }: MockError): Answer {
  const isMissing = status === 404 || status === 405
  if (isMissing && code !== 'READ_ONLY') return notFound
  return { status, headers, value: { error: message, message, ...(errors && { errors }) }, type }
}

/** Where it does not do as json-server 1.0.0-beta.15 does. */
export const deviations1: readonly Deviation[] = [
  {
    name: 'server error',
    request:
      'any that it answers with a 5xx: a body that is no JSON or larger than 100 KiB, `_sort=a[`',
    theirs: 'a text that holds the message of an exception',
    ours: 'what was meant where that is clear, else 400, 404 or 413 as JSON; bodies up to 10 MiB',
    reason: 'no client can want it',
  },
  {
    name: 'encoding',
    request: 'a body that is no valid UTF-8, or says that it is compressed and is not',
    theirs: 'is read, with U+FFFD in the place of what is no UTF-8',
    ours: '400 and 415',
    reason: 'data loss',
  },
  {
    name: 'broken escape',
    request: 'a path with a broken escape: `/posts/100%`',
    theirs: '400 with the text `Bad Request`, or 404',
    ours: '400 with JSON that says what is wrong',
    reason: 'no client can want it',
  },
  {
    name: 'head',
    request: 'HEAD of any resource',
    theirs: '400',
    ours: 'the status and headers of GET',
    reason: 'no client can want it',
  },
  {
    name: 'prototype',
    request: 'a resource, field or relation named like a member of `Object.prototype`',
    theirs: 'reads the member, and writes what every other object then has',
    ours: 'reads and writes nothing, unless the data has it',
    reason: 'security',
  },
  {
    name: 'missing parent',
    request: '`author.name=x` where a record has no `author`, or one that is no object',
    theirs: 'finds the record, whatever is asked of the inside',
    ours: 'does not find it',
    reason: 'no client can want it',
  },
  {
    name: 'value',
    request: 'PUT and PATCH of a resource that is a number, a text, true, false or null',
    theirs: 'puts an object in its place',
    ours: '404: such a value can only be read',
    reason: 'data loss',
  },
  {
    name: 'deep tree',
    request: '`_where` that is nested more than 500 levels deep',
    theirs: 'answers, for as long as the stack lasts',
    ours: '400',
    reason: 'security',
  },
  {
    name: 'many names',
    request: 'more than 100 fields in `_sort`, or relations in `_embed`',
    theirs: 'reads each of every record, for as long as that takes',
    ours: 'the first 100 count',
    reason: 'security',
  },
  {
    name: 'infinite number',
    request: 'a body with a number that is too large to be one: `1e400`',
    theirs: 'keeps null in its place',
    ours: '400',
    reason: 'data loss',
  },
]
