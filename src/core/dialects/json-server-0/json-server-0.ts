import type { MockError } from '../../errors/mock-error.ts'
import { ownValue } from '../../json/json.ts'
import type { Answer, Call, Changes, Data, Dialect, RenderContext } from '../contract/dialect.ts'
import { hideMissingIds } from '../shared/hidden-ids.ts'
import { textOf } from '../shared/js-values.ts'
import { readBody, type WriteRequest, create, remove, write } from './write.ts'
import { parseQueryString } from './query-string.ts'
import { findTarget, isPath } from './target.ts'
import { readAll, readList, readMember } from './read.ts'
import { describe0 } from './describe.ts'
import { rest } from '../rest/rest.ts'

/**
 * The dialect that imitates json-server 0.17.4, apart from the deliberate differences that
 * docs/reference/json-server-differences.md lists.
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

/** Handles one method on a target: a response, or the writes to apply; undefined becomes a 404. */
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

/** Renders an error: 404 and 405 without fields become 404 with an empty object, other errors problem details. */
function renderError(error: MockError, context: RenderContext): Answer {
  const { status, code, errors } = error
  if (code === 'READ_ONLY') return forbidden
  const isMissing = (status === 404 || status === 405) && !errors
  return isMissing ? notFound : rest.renderError(error, context)
}
