import type { MockError } from '../../errors/mock-error.ts'
import { isRecord, type Json, ownValue } from '../../json/json.ts'
import { createRandom } from '../../time/random.ts'
import { decode } from '../../url/pattern.ts'
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
import { type WriteRequest, create, patch, randomId, remove, replace } from './write.ts'
import { recordsOf } from './related.ts'
import { describe1 } from './describe.ts'
import { rest } from '../rest/rest.ts'

/**
 * The dialect that imitates json-server 1.0.0-beta.15, apart from the deliberate differences in
 * `deviations1`, which docs/json-server.md documents.
 * @example createMock({ fixtures, dialect: jsonServer1 })
 */
export const jsonServer1: Dialect = {
  ...rest,
  name: 'json-server-1',
  indent: 2,
  load: toTextIds,
  locate,
  serve,
  conditions: () => ({}),
  renderError,
  describe: (dialect) => describe1(dialect, jsonServer1),
}

const type = 'application/json'

/** The resource or the record at a path. */
interface Target {
  name: string
  id?: string
}

/** Writing methods; each returns undefined if the target does not exist or support the method. */
const actions: Record<string, (request: WriteRequest) => Change[] | undefined> = {
  POST: create,
  PUT: replace,
  PATCH: patch,
  DELETE: remove,
}

function serve(call: Call, data: Data): Answer | Changes {
  const { method, search } = call
  // json-server's OPTIONS handler and body parser skip paths that start with two slashes.
  const isDoubled = call.path.startsWith('//')
  if (method === 'OPTIONS') {
    return isDoubled ? notFound : { status: 204, headers: [allow], value: undefined }
  }
  const body = Object.hasOwn(actions, method) && !isDoubled ? readBody(call) : undefined
  const target = locate(call, data.names())
  if (!target) return notFound
  if (method === 'GET' || method === 'HEAD') return read(target, search, data)
  const needsBody = method === 'POST' ? target.id === undefined : method !== 'DELETE'
  const action = ownValue(actions, method)
  if (!action) return notFound
  if (needsBody && !isRecord(body)) return notObject
  const changes = action({ ...target, body: isRecord(body) ? body : {}, search, data })
  if (!changes) return notFound
  return { changes, answer: ([stored]) => answer(stored, method === 'POST' ? 201 : 200) }
}

const allow: [string, string] = ['Allow', 'GET, HEAD, PUT, PATCH, POST, DELETE']
const notFound: Answer = { status: 404, headers: [], value: { error: 'Not Found' }, type }
const badRequest: Answer = {
  status: 400,
  headers: [],
  value: 'Bad Request',
  text: 'Bad Request',
  type: 'text/plain; charset=utf-8',
}
const notObject: Answer = {
  status: 400,
  headers: [],
  value: { error: 'Body must be a JSON object' },
  type,
}

/** Creates a JSON response; a string is sent as plain text and null as an empty body. */
function answer(value: unknown, status = 200): Answer {
  const text = typeof value === 'string' ? value : value === null ? '' : undefined
  return { status, headers: [], value, type, ...(text !== undefined && { text }) }
}

/** Parses a body of any media type as JSON; a missing body is an empty object. */
function readBody(call: Call): Json {
  return call.text === '' ? {} : call.json()
}

/** Finds the target of a path: a resource, which can be in a folder, otherwise a record. */
function locate({ path }: Pick<Call, 'path'>, known: readonly string[]): Target | undefined {
  const segments = path.replace(/^\/+/, '').replace(/\/$/, '').split('/')
  if (segments.includes('')) return undefined
  // Only the paths of resources and records are decoded.
  const names = segments.map(segments.length > 2 ? decode : decodeSegment)
  const whole = names.join('/')
  const parent = names.slice(0, -1).join('/')
  const id = names.at(-1)
  if (names.length === 1 || known.includes(whole)) return { name: whole }
  const isMember = names.length === 2 || known.includes(parent)
  return isMember && id !== undefined ? { name: parent, id } : undefined
}

function read({ name, id }: Target, search: string, data: Data): Answer {
  if (id === undefined) {
    const records = recordsOf(name, data)
    const value = records ? listRecords(records, name, search, data) : data.read(name)
    return value === undefined ? notFound : answer(value)
  }
  const record = data.find(name, id)
  if (!record) return notFound
  return answer(embed([data.shown(name, record)], name, search, data)[0])
}

/** Converts numeric ids to strings; a record without an id gets the same random id at every start. */
function toTextIds(name: string, value: Json, idField: string): Json {
  if (!Array.isArray(value) || !value.every(isRecord)) return value
  return value.map((record, index) => {
    const id = ownValue(record, idField)
    if (id === undefined)
      return { ...record, [idField]: randomId(createRandom(`${name}/${index}`)) }
    return typeof id === 'number' ? { ...record, [idField]: String(id) } : record
  })
}

/**
 * Renders an error: 404 and 405 become 404 with a fixed body, invalid percent-encoding of a path a fixed
 * text; other errors carry their message.
 */
function renderError({ status, code, message, errors, headers }: MockError): Answer {
  if (code === 'PATH_INVALID') return badRequest
  const isMissing = status === 404 || status === 405
  if (isMissing && code !== 'READ_ONLY') return notFound
  return { status, headers, value: { error: message, message, ...(errors && { errors }) }, type }
}

/** The deliberate differences from json-server 1.0.0-beta.15, as docs/json-server.md lists them. */
export const deviations1: readonly Deviation[] = [
  {
    name: 'server error',
    request:
      'any request that json-server answers with a 5xx: invalid JSON, a body larger than 100 KiB, `_sort=a[`',
    theirs: 'plain text with the message of an exception',
    ours: 'the intended result where it is clear, otherwise 400, 404 or 413 as JSON; bodies up to 10 MiB',
    reason: 'no client can rely on a server error',
  },
  {
    name: 'encoding',
    request: 'a body that is not valid UTF-8, or is labelled as compressed but is not',
    theirs: 'decodes the body; U+FFFD replaces invalid UTF-8',
    ours: '400 for invalid UTF-8, 415 for a `Content-Encoding`',
    reason: 'data loss',
  },
  {
    name: 'head',
    request: 'HEAD of any resource',
    theirs: '400',
    ours: 'the status and headers of GET',
    reason: 'no client can rely on it',
  },
  {
    name: 'prototype',
    request:
      'a resource, field or relation named like a member of `Object.prototype`, such as `constructor`',
    theirs: 'reads the inherited member; a write pollutes the prototype of all objects',
    ours: 'ignores the inherited member; only the data counts',
    reason: 'security',
  },
  {
    name: 'missing parent',
    request: '`author.name=x` if a record has no `author`, or one that is not an object',
    theirs: 'returns the record, whatever the filter compares with',
    ours: 'does not return the record',
    reason: 'no client can rely on it',
  },
  {
    name: 'value',
    request: 'PUT or PATCH of a resource that is a number, a string, a boolean or null',
    theirs: 'replaces the value with an object',
    ours: '404: such a resource is read-only',
    reason: 'data loss',
  },
  {
    name: 'deep tree',
    request: '`_where` that is nested deeper than 500 levels',
    theirs: 'evaluates the filter until the call stack overflows',
    ours: '400',
    reason: 'security: denial of service',
  },
  {
    name: 'many names',
    request: 'more than 100 fields in `_sort`, or more than 100 relations in `_embed`',
    theirs: 'processes all of them for every record, however long it takes',
    ours: 'uses the first 100',
    reason: 'security: denial of service',
  },
  {
    name: 'infinite number',
    request: 'a body with a number too large for JavaScript: `1e400`',
    theirs: 'stores null instead',
    ours: '400',
    reason: 'data loss',
  },
]
