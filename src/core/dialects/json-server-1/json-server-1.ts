import type { MockError } from '../../errors/mock-error.ts'
import { isRecord, type Json, ownValue, type JsonRecord } from '../../json/json.ts'
import { createRandom, type Random } from '../../time/random.ts'
import { decode } from '../../url/pattern.ts'
import { decodeSegment } from '../../url/segment.ts'
import { textOf } from '../shared/js-values.ts'
import type { Answer, Call, Change, Changes, Data, Dialect } from '../contract/dialect.ts'
import { embed, listRecords, recordsOf, valuesOf, keyTo } from './list.ts'
import { describe1, description1, type WireDescription } from './describe.ts'
import { rest } from '../rest/rest.ts'

/**
 * The dialect that imitates json-server 1.0.0-beta.15, apart from the deliberate differences that
 * docs/reference/json-server-differences.md lists.
 * @example createMock({ fixtures, dialect: jsonServer1 })
 */
export const jsonServer1: Dialect = createJsonServer1({
  name: 'json-server-1',
  list: listRecords,
  randomId: toBase64UrlId,
  keepsSentId: false,
  notFound: { status: 404, headers: [], value: { error: 'Not Found' }, type: 'application/json' },
  notObject: {
    status: 400,
    headers: [],
    value: { error: 'Body must be a JSON object' },
    type: 'application/json',
  },
  dependents: ['_dependent'],
  description: description1,
})

/** Creates the dialect of a version of json-server 1: they differ in lists, new records and errors alone. */
export function createJsonServer1(version: Version): Dialect {
  const { notFound } = version
  const dialect: Dialect = {
    ...rest,
    name: version.name,
    indent: 2,
    load: (name, value, idField) => toTextIds(name, value, idField, version),
    locate,
    serve: (call, data) => serve(call, data, version),
    conditions: () => ({}),
    renderError: (error) => renderError(error, notFound),
    describe: (copy) => describe1(copy, dialect, version.description),
  }
  return dialect
}

/** What the versions of json-server 1 do differently. */
export interface Version {
  name: string
  /** Handles GET of a collection. */
  list: typeof listRecords
  /** Draws the id of a new record. */
  randomId(random: Random): string
  /** Whether a new record keeps the id of the body. */
  keepsSentId: boolean
  /** The response for a path that names nothing. */
  notFound: Answer
  /** The response to a body that is not a JSON object. */
  notObject: Answer
  /** The parameters of DELETE that name collections whose records are deleted too. */
  dependents: readonly string[]
  description: WireDescription
}

const type = 'application/json'

interface Target {
  name: string
  id?: string
}

/** Writing methods; each returns undefined if the target does not exist or support the method. */
const actions: Record<string, (request: WriteRequest) => Change[] | undefined> = {
  POST: create,
  PUT: (request) => write(request, 'replace'),
  PATCH: (request) => write(request, 'patch'),
  DELETE: remove,
}

function serve(call: Call, data: Data, version: Version): Answer | Changes {
  const { notFound, notObject } = version
  const { method, search } = call
  // json-server's OPTIONS handler and body parser skip paths that start with two slashes.
  const isDoubled = call.path.startsWith('//')
  if (method === 'OPTIONS') {
    return isDoubled ? notFound : { status: 204, headers: [allow], value: undefined }
  }
  const body = Object.hasOwn(actions, method) && !isDoubled ? readBody(call) : undefined
  const target = locate(call, data.names())
  if (!target) return notFound
  if (method === 'GET' || method === 'HEAD') return read(target, search, data, version)
  const needsBody = method === 'POST' ? target.id === undefined : method !== 'DELETE'
  const action = ownValue(actions, method)
  if (!action) return notFound
  if (needsBody && !isRecord(body)) return notObject
  const changes = action({ ...target, body: isRecord(body) ? body : {}, search, data, version })
  if (!changes) return notFound
  return { changes, answer: ([stored]) => answer(stored, method === 'POST' ? 201 : 200) }
}

const allow: [string, string] = ['Allow', 'GET, HEAD, PUT, PATCH, POST, DELETE']
const badRequest: Answer = {
  status: 400,
  headers: [],
  value: 'Bad Request',
  text: 'Bad Request',
  type: 'text/plain; charset=utf-8',
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

function read({ name, id }: Target, search: string, data: Data, version: Version): Answer {
  const { notFound, list } = version
  if (id === undefined) {
    const records = recordsOf(name, data)
    if (records) {
      const { value, reason } = list(records, name, search, data)
      return { ...answer(value), ...(reason !== undefined && { reason }) }
    }
    const value = data.read(name)
    return value === undefined ? notFound : answer(value)
  }
  const record = data.find(name, id)
  if (!record) return notFound
  return answer(embed([data.shown(name, record)], name, search, data)[0])
}

/** Converts numeric ids to strings; a record without an id gets the same random id at every start. */
function toTextIds(name: string, value: Json, idField: string, { randomId }: Version): Json {
  if (!Array.isArray(value) || !value.every(isRecord)) return value
  const used = new Set(value.map((record) => textOf(ownValue(record, idField))))
  return value.map((record, index) => {
    const id = ownValue(record, idField)
    if (id === undefined) {
      const random = createRandom(`${name}/${index}`)
      const drawn = drawUnused(
        () => randomId(random),
        (one) => used.has(one),
      )
      used.add(drawn)
      return { ...record, [idField]: drawn }
    }
    return typeof id === 'number' ? { ...record, [idField]: String(id) } : record
  })
}

/** Draws an id, which grows until no record has it. */
function drawUnused(draw: () => string, isUsed: (id: string) => boolean): string {
  let id = draw()
  while (isUsed(id)) id += draw()
  return id
}

/** 404 and 405 without fields become 404 with a fixed body, a broken path a fixed text; other errors carry their message. */
function renderError(error: MockError, notFound: Answer): Answer {
  const { status, code, message, errors, headers } = error
  if (code === 'PATH_INVALID') return badRequest
  const isMissing = (status === 404 || status === 405) && !errors
  if (isMissing && code !== 'READ_ONLY') return notFound
  return { status, headers, value: { error: message, message, ...(errors && { errors }) }, type }
}

/** A write: the resource or record, the JSON body, the query string with its question mark, and all data. */
interface WriteRequest {
  name: string
  /** The id of a record; missing for a resource. */
  id?: string
  body: JsonRecord
  search: string
  data: Data
  version: Version
}

/** Adds a record with a random id, unless the version keeps the id of the body. */
function create({ name, id, body, data, version }: WriteRequest): Change[] | undefined {
  if (id !== undefined || data.kindOf(name) !== 'collection') return undefined
  const idField = data.idField(name)
  const sent = body[idField] ?? ''
  const hasId = version.keepsSentId && sent !== ''
  const draw = (): string => version.randomId(() => data.random())
  const newId = hasId ? sent : drawUnused(draw, (one) => data.find(name, one) !== undefined)
  // A version that keeps the id of the body writes the id first.
  const first = version.keepsSentId ? { [idField]: newId } : {}
  const record = { ...first, ...body, [idField]: newId }
  return [{ action: 'create', name, record }]
}

/** Replaces a record, which keeps its id, or a singleton, or merges the body into it. */
function write(
  { name, id, body, data }: WriteRequest,
  action: 'replace' | 'patch',
): Change[] | undefined {
  if (id === undefined) {
    const stored = data.read(name)
    if (!isRecord(stored)) return undefined
    return [{ action, name, record: action === 'patch' ? { ...stored, ...body } : body }]
  }
  const stored = data.find(name, id)
  if (!stored) return undefined
  const base = action === 'patch' ? stored : {}
  return [{ action, name, id, record: { ...base, ...body, [data.idField(name)]: id } }]
}

/** Deletes a record: foreign keys to it become null; records of the collections in `_dependent` are deleted. */
function remove({ name, id, search, data, version }: WriteRequest): Change[] | undefined {
  if (id === undefined || !data.find(name, id)) return undefined
  const dependents = version.dependents.flatMap((parameter) => valuesOf(search, parameter))
  const others = data.names().filter((each) => each !== name)
  const changes = others.flatMap((other) => {
    const isDependent = dependents.includes(other)
    const key = keyTo(name, other, data)
    return (recordsOf(other, data) ?? []).flatMap((record): Change[] => {
      const reference = ownValue(record, key)
      const child = String(ownValue(record, data.idField(other)) as string | number)
      if (isDependent && (reference === id || reference === null))
        return [{ action: 'remove', name: other, id: child }]
      if (reference !== id) return []
      return [{ action: 'patch', name: other, id: child, record: { ...record, [key]: null } }]
    })
  })
  return [{ action: 'remove', name, id }, ...changes]
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Draws a random id: eight bytes as base64url (RFC 4648 §5); the last letter encodes only four bits. */
function toBase64UrlId(random: Random): string {
  const letter = (step: number): string => letters.charAt(Math.floor((random() * 64) / step) * step)
  return Array.from({ length: 11 }, (_, at) => letter(at === 10 ? 4 : 1)).join('')
}
