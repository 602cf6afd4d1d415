import type { MockError } from '../../errors/mock-error.ts'
import { isRecord, type Json, ownValue } from '../../json/json.ts'
import type { Answer, Call, Changes, Data, Deviation, Dialect } from '../contract/dialect.ts'
import { readBody } from './body.ts'
import { findPlace, isPath } from './target.ts'
import { readAll, readList, readMember } from './read.ts'
import { type Asked, create, patch, remove, replace } from './write.ts'
import { rest } from '../rest/rest.ts'

/** What a method does to a resource or to a record; undefined when there is nothing it could do it to. */
type Action = (asked: Asked & { call: Call }) => Answer | Changes | undefined

const actions: Record<'resource' | 'record', Record<string, Action>> = {
  resource: { GET: readList, POST: create, PUT: replace, PATCH: patch },
  record: { GET: readMember, PUT: replace, PATCH: patch, DELETE: remove },
}

/**
 * Answers as json-server 0.17.4 does.
 * @example createMock({ fixtures, dialect: jsonServer0 })
 */
export const jsonServer0: Dialect = {
  ...rest,
  name: 'json-server-0',
  indent: 2,
  routes: [{ methods: ['GET', 'HEAD'], path: '/db' }],
  load: hideMissingIds,
  locate: (call, names) => findPlace(call.path, methodOf(call), names),
  serve,
  renderError,
}

function serve(call: Call, data: Data): Answer | Changes {
  if (call.method === 'OPTIONS') return { status: 204, headers: [allow], value: undefined }
  const method = methodOf(call)
  const body = readBody(call)
  if (method === 'GET' && isPath(call.path, '/db')) return readAll(data)
  const place = findPlace(call.path, method, data.names())
  if (!place) return nothing
  const row = actions[place.id === undefined ? 'resource' : 'record']
  return ownValue(row, method)?.({ call, url: call.url, place, body, data }) ?? nothing
}

const allow: [string, string] = ['Allow', 'GET,HEAD,PUT,PATCH,POST,DELETE']
const nothing: Answer = { status: 404, headers: [], value: {} }

/** A POST may name the method that it stands for; HEAD is GET without the body. */
function methodOf({ method, headers }: Pick<Call, 'method' | 'headers'>): string {
  const other = headers['x-http-method-override']?.split(',')[0]?.trim().toUpperCase() ?? ''
  const meant = method === 'POST' && methods.has(other) ? other : method
  return meant === 'HEAD' ? 'GET' : meant
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Records without an id stay so for clients; the store knows them by one that is not enumerable. */
function hideMissingIds(name: string, value: Json, idField: string): Json {
  if (!Array.isArray(value) || !value.every(isRecord)) return value
  return value.map((record, index) =>
    Object.hasOwn(record, idField)
      ? record
      : Object.defineProperty({ ...record }, idField, { value: `\0${name}/${index}` }),
  )
}

/** What is not found, or has no such method, is answered by an empty object. */
function renderError(error: MockError, context: Parameters<Dialect['renderError']>[1]): Answer {
  const { status, code } = error
  if (code === 'READ_ONLY') return { ...rest.renderError(error, context), status: 403 }
  return status === 404 || status === 405 ? nothing : rest.renderError(error, context)
}

/** Where it does not do as json-server 0.17.4 does. */
export const deviations0: readonly Deviation[] = [
  {
    name: 'server error',
    request:
      'any that it answers with a 5xx: a repeated `_sort`, an id that is taken, a key that is null',
    theirs: 'a page with a stack trace, and often a change that is half made',
    ours: 'what was meant where that is clear, else 400, 404 or 409 as problem details',
    reason: 'no client can want it',
  },
  {
    name: 'error page',
    request: 'a body that is no JSON object, too large, or in another charset',
    theirs: '400, 413 or 415 with an HTML page that holds a stack trace and file paths',
    ours: 'the same status with problem details',
    reason: 'security',
  },
  {
    name: 'encoding',
    request: 'a body that is compressed, in UTF-16, or no valid UTF-8',
    theirs: 'is read, with U+FFFD in the place of what is no UTF-8',
    ours: '415, or 400 for what is no UTF-8',
    reason: 'data loss, and what is compressed may be a bomb',
  },
  {
    name: 'sweep',
    request: '`DELETE /posts/1`, also where there is no such post',
    theirs: 'removes every record of any collection that has a key which names nothing',
    ours: 'removes the record, and the records that name it',
    reason: 'data loss',
  },
  {
    name: 'body of another type',
    request: 'a body that is neither JSON nor a form',
    theirs: 'is taken for an empty one: POST adds an empty record, PUT empties one',
    ours: '415; one that has no type is read as JSON',
    reason: 'data loss',
  },
  {
    name: 'list as record',
    request: 'POST of a list, or PUT and PATCH of a singleton with one',
    theirs: 'puts the list among the records, or in the place of the singleton',
    ours: '400',
    reason: 'data loss: what reads records fails from then on',
  },
  {
    name: 'pattern',
    request:
      '`_like` with a pattern that refers back to a group, is larger than 1000 places, or would take seconds over the data',
    theirs: 'may take longer than anybody can wait, with all other requests',
    ours: '400; all other patterns take linear time',
    reason: 'security',
  },
  {
    name: 'callback',
    request: '`?callback=name`',
    theirs: 'a script that hands the data to that function (JSONP)',
    ours: 'the data as JSON',
    reason: 'security: any page could read it',
  },
  {
    name: 'prototype',
    request: 'a resource, field or relation named like a member of `Object.prototype`',
    theirs: 'reads the member',
    ours: 'reads nothing, unless the data has it',
    reason: 'security',
  },
  {
    name: 'kind of id',
    request: 'POST with an id that is `true`, a list or an object',
    theirs: 'adds the record, which some requests find and others do not',
    ours: '400',
    reason: 'data loss: `[1]` and `1` are one id to it',
  },
  {
    name: 'values',
    request: 'a write to an array that holds anything but objects',
    theirs: 'mostly a 5xx, else a record among the values',
    ours: '404: such an array can only be read',
    reason: 'data loss',
  },
  {
    name: 'names in two cases',
    request: 'any to `/posts` or `/Posts` where both are there',
    theirs: 'goes to both, a write too; what the later one says is answered',
    ours: 'goes to the one that is named',
    reason: 'data loss',
  },
  {
    name: 'schema key',
    request: '`GET /db` where the file has a `$schema` key',
    theirs: 'lists it among the resources',
    ours: 'leaves it out',
    reason: 'it describes the file and is no data',
  },
  {
    name: 'many names',
    request: 'more than 100 fields in `_sort`, or relations in `_embed` or `_expand`',
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
