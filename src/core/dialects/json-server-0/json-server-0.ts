import type { MockError } from '../../errors/mock-error.ts'
import { isRecord, type Json, ownValue } from '../../json/json.ts'
import type {
  Answer,
  Call,
  Changes,
  Data,
  Deviation,
  Dialect,
  RenderContext,
} from '../contract/dialect.ts'
import { textOf } from '../shared/js-values.ts'
import { readBody, type WriteRequest, create, remove, write } from './write.ts'
import { parseQueryString } from './query-string.ts'
import { findTarget, isPath } from './target.ts'
import { readAll, readList, readMember } from './read.ts'
import { describe0 } from './describe.ts'
import { rest } from '../rest/rest.ts'

/**
 * The dialect that imitates json-server 0.17.4, apart from the deliberate differences in `deviations0`, which
 * docs/json-server.md documents.
 * @example createMock({ fixtures, dialect: jsonServer0 })
 */
export const jsonServer0: Dialect = {
  ...rest,
  name: 'json-server-0',
  indent: 2,
  routes: [{ methods: ['GET', 'HEAD'], path: '/db' }],
  load: hideMissingIds,
  locate: (call, names) => findTarget(call.path, methodOf(call), names),
  serve,
  delay: readDelay,
  conditions: readConditions,
  renderError,
  describe: (dialect) => describe0(dialect, jsonServer0),
}

/**
 * Handles one method on a resource or a record: returns the response, or the writes to apply. Returns
 * undefined, which becomes a 404, if the target does not exist or does not support the method.
 */
type Action = (request: WriteRequest & { call: Call }) => Answer | Changes | undefined

const updates: Record<string, Action> = {
  PUT: (request) => write(request, 'replace'),
  PATCH: (request) => write(request, 'patch'),
}

const actions: Record<'resource' | 'record', Record<string, Action>> = {
  resource: { GET: readList, POST: create, ...updates },
  record: { GET: readMember, ...updates, DELETE: remove },
}

function serve(call: Call, data: Data): Answer | Changes {
  if (call.method === 'OPTIONS') return { status: 204, headers: [allow], value: undefined }
  const method = methodOf(call)
  const body = readBody(call)
  if (method === 'GET' && isPath(call.path, '/db')) return readAll(data)
  const target = findTarget(call.path, method, data.names())
  if (!target) return notFound
  const row = actions[target.id === undefined ? 'resource' : 'record']
  return ownValue(row, method)?.({ call, url: call.url, target, body, data }) ?? notFound
}

const allow: [string, string] = ['Allow', 'GET,HEAD,PUT,PATCH,POST,DELETE']
const notFound: Answer = { status: 404, headers: [], value: {} }
const forbidden: Answer = {
  status: 403,
  headers: [],
  value: 'Forbidden',
  text: 'Forbidden',
  type: 'text/plain; charset=utf-8',
}

/** Returns the effective method: a POST can override it with a header, and HEAD is handled as GET. */
function methodOf({ method, headers }: Pick<Call, 'method' | 'headers'>): string {
  const override = headers['x-http-method-override']?.split(',')[0]?.trim().toUpperCase() ?? ''
  const effective = method === 'POST' && methods.has(override) ? override : method
  return effective === 'HEAD' ? 'GET' : effective
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Gives records without an id a non-enumerable id, which the store uses and clients do not see. */
function hideMissingIds(name: string, value: Json, idField: string): Json {
  if (!Array.isArray(value) || !value.every(isRecord)) return value
  return value.map((record, index) =>
    Object.hasOwn(record, idField)
      ? record
      : Object.defineProperty({ ...record }, idField, { value: `\0${name}/${index}` }),
  )
}

/** `_delay` in milliseconds; zero if it is no number, or longer than a timer can be. */
function readDelay({ path, search }: Pick<Call, 'path' | 'search'>): number {
  if (!search.includes('_delay') || isPath(path, '/db')) return 0
  const { _delay } = parseQueryString(search)
  const milliseconds = Number.parseFloat(textOf(_delay))
  return milliseconds < 2 ** 31 ? milliseconds : 0
}

/** Like Express, compares only entity tags, and not for a request with `Cache-Control: no-cache`. */
function readConditions(headers: Call['headers']): Call['headers'] {
  const isReload = /(?:^|,)\s*no-cache\s*(?:,|$)/.test(headers['cache-control'] ?? '')
  return isReload ? {} : { 'if-none-match': headers['if-none-match'] }
}

/** Renders an error: 404 and 405 become 404 with an empty object, other errors problem details. */
function renderError(error: MockError, context: RenderContext): Answer {
  const { status, code } = error
  if (code === 'READ_ONLY') return forbidden
  return status === 404 || status === 405 ? notFound : rest.renderError(error, context)
}

/** The deliberate differences from json-server 0.17.4, as docs/json-server.md lists them. */
export const deviations0: readonly Deviation[] = [
  {
    name: 'server error',
    request:
      'any request that json-server answers with a 5xx: a repeated `_sort`, an existing id, a foreign key that is null',
    theirs: 'an error page with a stack trace, often after half of the write',
    ours: 'the intended result where it is clear, otherwise 400, 404 or 409 with problem details',
    reason: 'no client can rely on a server error',
  },
  {
    name: 'error page',
    request: 'a body that is not a JSON object, is too large, or has another charset than UTF-8',
    theirs: '400, 413 or 415 with an HTML page that contains a stack trace and file paths',
    ours: 'the same status with problem details',
    reason: 'security: the page reveals file paths',
  },
  {
    name: 'encoding',
    request: 'a body that is compressed, in UTF-16, or not valid UTF-8',
    theirs: 'decodes the body; U+FFFD replaces invalid UTF-8',
    ours: '415, or 400 for invalid UTF-8',
    reason: 'data loss; a compressed body can also be a decompression bomb',
  },
  {
    name: 'sweep',
    request: '`DELETE /posts/1`, even if there is no such post',
    theirs:
      'deletes every record, in all collections, whose foreign key references a missing record',
    ours: 'deletes the record and the records that reference it',
    reason: 'data loss',
  },
  {
    name: 'body of another type',
    request: 'a body whose `Content-Type` is neither JSON nor a form',
    theirs: 'treats the body as empty: POST adds an empty record, PUT clears a record',
    ours: '415; a body without a `Content-Type` is read as JSON',
    reason: 'data loss',
  },
  {
    name: 'list as record',
    request: 'POST with an array, or PUT or PATCH of a singleton with an array',
    theirs: 'stores the array as a record, or replaces the singleton with it',
    ours: '400',
    reason: 'data loss: later requests for records fail',
  },
  {
    name: 'pattern',
    request:
      '`_like` with a regular expression that has a backreference or a lookaround, needs more than 1000 states, or would take seconds on the data',
    theirs: 'can block the server, and with it all other requests, indefinitely',
    ours: '400; all other expressions take linear time',
    reason: 'security: denial of service',
  },
  {
    name: 'no delay',
    request: '`_delay=0`',
    theirs: 'waits for a second',
    ours: 'does not wait',
    reason: 'no client can rely on it',
  },
  {
    name: 'callback',
    request: '`?callback=name`',
    theirs: 'a script that passes the data to the function (JSONP)',
    ours: 'the data as JSON',
    reason: 'security: any website could read the data',
  },
  {
    name: 'prototype',
    request:
      'a resource, field or relation named like a member of `Object.prototype`, such as `constructor`',
    theirs: 'reads the inherited member',
    ours: 'ignores the inherited member; only the data counts',
    reason: 'security',
  },
  {
    name: 'kind of id',
    request: 'POST with an id that is `true`, an array or an object',
    theirs: 'adds the record, which only some requests find again',
    ours: '400',
    reason: 'data loss: json-server takes `[1]` and `1` for the same id',
  },
  {
    name: 'values',
    request: 'a write to an array with items that are not objects',
    theirs: 'usually a 5xx, otherwise adds a record to the values',
    ours: '404: such an array is read-only',
    reason: 'data loss',
  },
  {
    name: 'names in two cases',
    request: 'any request to `/posts` or `/Posts` if both exist',
    theirs:
      'handles the request, even a write, for both, and responds with the result of the second',
    ours: 'handles the request for the resource with the exact name',
    reason: 'data loss',
  },
  {
    name: 'schema key',
    request: '`GET /db` of a file with a `$schema` key',
    theirs: 'includes the key as a resource',
    ours: 'leaves the key out',
    reason: 'the key describes the file and is not data',
  },
  {
    name: 'home page',
    request: '`GET /`, and the scripts and styles of that page',
    theirs: 'an HTML page',
    ours: "the list of resources as JSON; for a browser, Fixtura's own page",
    reason: 'the page belongs to json-server',
  },
  {
    name: 'headers',
    request: 'the headers of any response',
    theirs: '`Pragma`, `Expires`, `X-Powered-By`, `X-Content-Type-Options`, and a weak `ETag`',
    ours: '`Cache-Control: no-cache` without the first four, and a strong `ETag`',
    reason: 'no client can rely on them',
  },
  {
    name: 'many names',
    request: 'more than 100 fields in `_sort`, or more than 100 relations in `_embed` or `_expand`',
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
