import { type JsonRecord, ownValue } from '../../json/json.ts'
import { select } from '../../query/select.ts'
import { parseParams } from '../../url/params.ts'
import { decodeSegment } from '../../url/segment.ts'
import type { Answer, Call, Changes, Data, Dialect } from '../contract/dialect.ts'
import { rest } from '../rest/rest.ts'
import { hideMissingIds } from '../shared/hidden-ids.ts'
import { describeSupabase } from './describe.ts'
import { refuse, renderError } from './errors.ts'
import { parseRequest, type Selection } from './parse.ts'
import { findRows, project } from './read.ts'
import {
  applied,
  checkSingle,
  chooseMedia,
  contentRange,
  rangeOf,
  readPreferences,
  toAnswer,
} from './respond.ts'
import { findTable, foreignKeysOf, tableNames, type Tables } from './table.ts'
import { writeRows } from './write.ts'

/**
 * The dialect of Supabase: `/rest/v1` answers as PostgREST 13.
 * @example createMock({ fixtures, dialect: supabase })
 */
export const supabase: Dialect = {
  ...rest,
  name: 'supabase',
  prefix: '/rest/v1',
  routes: [{ methods: ['GET', 'HEAD'], path: '/rest/v1/' }],
  load: hideMissingIds,
  locate({ path }, names) {
    const name = tableOf(path)
    return name !== undefined && names.includes(name) ? { name } : undefined
  },
  serve,
  conditions: () => ({}),
  renderError,
  describe: (dialect) => describeSupabase(dialect, supabase),
}

function serve(call: Call, data: Data): Answer | Changes {
  const { method, path, search } = call
  const isRead = method === 'GET' || method === 'HEAD'
  const schema = call.headers[isRead ? 'accept-profile' : 'content-profile'] ?? 'public'
  if (schema !== 'public') {
    const hint = 'Only the following schemas are exposed: public'
    throw refuse(406, 'PGRST106', `Invalid schema: ${schema}`, null, hint)
  }
  if (path === '/rest/v1/' && method === 'GET') return describeTables(data)
  const name = tableOf(path)
  if (name === undefined) throw unknownPath(call)
  const table = findTable(data, name)
  if (method === 'OPTIONS') {
    const allow = `OPTIONS,GET,HEAD,POST,${table.key.length > 0 ? 'PUT,' : ''}PATCH,DELETE`
    return { status: 200, headers: [['Allow', allow]], value: undefined }
  }
  const params = parseParams(search)
  const selection = parseRequest(name, params)
  return isRead ? read(call, selection, data) : writeRows({ call, params, table, selection, data })
}

function unknownPath(call: Call): Error {
  const [, name] = /^\/rest\/v1\/rpc\/([^/]+)$/.exec(call.path) ?? []
  if (name === undefined) return refuse(404, 'PGRST125', 'Invalid path specified in request URL')
  const body = call.text === '' ? {} : call.json()
  const named = [...parseParams(call.search).map(([one]) => one), ...Object.keys(Object(body))]
  const given = named.length === 0 ? ' without parameters' : `(${named.join(', ')})`
  const message = `Could not find the function public.${name}${given} in the schema cache`
  return refuse(404, 'PGRST202', message)
}

function read(call: ReadCall, selection: Selection, data: Tables): Answer {
  const preferences = readPreferences(call)
  const media = chooseMedia(call)
  const slice = rangeOf(selection, call)
  const { records, total } = findRows(data, selection, [], slice)
  const projection = project(data, selection, records)
  const { start } = slice
  const known = preferences['count'] === undefined ? undefined : total
  const range = contentRange(start, start + records.length - 1, known)
  if (known !== undefined && start > known) {
    const details = `An offset of ${start} was requested, but there are only ${known} rows.`
    const error = refuse(416, 'PGRST103', 'Requested range not satisfiable', details)
    error.headers.push(range)
    throw error
  }
  checkSingle(media, records.length)
  const status = records.length < (known ?? 0) ? 206 : 200
  return toAnswer(status, [range, ...applied(preferences)], records, projection, media)
}

type ReadCall = Pick<Call, 'method' | 'search' | 'headers'>

/** Applies the filters, the order, the page and the format of a request to the rows that a function returns. */
export function answerRows(call: ReadCall, rows: readonly JsonRecord[]): Answer {
  // A parameter without an operator is an argument of the function.
  const isOwn = /^(?:select|order|limit|offset|and|or|not\.and|not\.or)$|\./
  const isFilter = /^(?:not\.)?(?:in|is|isdistinct|[a-z]{2,6}(?:\((?:any|all)\))?)\./
  const params = parseParams(call.search).filter(
    ([name, value]) => isOwn.test(name) || isFilter.test(value),
  )
  const data: Tables = {
    names: () => ['pgrst_call'],
    kindOf: () => 'collection',
    idField: () => 'id',
    fields: () => [...new Set(rows.flatMap(Object.keys))],
    sample: (_name, field) => rows.find((row) => (row[field] ?? null) !== null)?.[field],
    described: () => [],
    foreignKeys: () => [],
    relations: {},
    now: () => 0,
    random: () => 0,
    run(_name, { slice, ...query }) {
      const found = select({ records: () => rows }, query)
      const { start = 0, end = Infinity } = slice ?? {}
      const records = found.slice(start, Math.min(end, found.length))
      return { records, total: found.length }
    },
  }
  return read(call, parseRequest('pgrst_call', params), data)
}

/** Describes the tables as PostgREST does at its root: a document of Swagger 2.0. */
function describeTables(data: Data): Answer {
  const names = tableNames(data)
  const keys = foreignKeysOf(data)
  const definitions = names.map((name) => {
    const { columns, key, isRequired, typeOf } = findTable(data, name)
    const properties = columns.map((column) => {
      const { name: format, kind } = typeOf(column)
      const type = { number: 'number', integer: 'integer', boolean: 'boolean', array: 'array' }
      const reference = keys.find((one) => one.child === name && one.key === column)
      const target = reference && `table='${reference.parent}' column='${reference.far}'`
      const description = [
        ...(key.includes(column) ? ['This is a Primary Key.<pk/>'] : []),
        ...(target ? [`This is a Foreign Key.<fk ${target}/>`] : []),
      ]
      const note = description.length > 0 && { description: `Note:\n${description.join('\n')}` }
      return [column, { format, type: ownValue<string>(type, kind) ?? 'string', ...note }]
    })
    const required = columns.filter((one) => isRequired(one, false) || key.includes(one))
    return [name, { type: 'object', required, properties: Object.fromEntries(properties) }]
  })
  const operations = Object.fromEntries(['get', 'post', 'patch', 'delete'].map((one) => [one, {}]))
  const value = {
    swagger: '2.0',
    info: { title: 'Fixtura', version: '13.0' },
    basePath: '/',
    paths: Object.fromEntries(names.map((name) => [`/${name}`, operations])),
    definitions: Object.fromEntries(definitions),
  }
  return { status: 200, headers: [], value, type: 'application/openapi+json; charset=utf-8' }
}

/** Returns the name of the table at a path; undefined outside of `/rest/v1`, and for another schema (`auth/users`). */
function tableOf(path: string): string | undefined {
  const name = decodeSegment(/^\/rest\/v1\/([^/]+)\/?$/.exec(path)?.[1] ?? '/')
  return name.includes('/') ? undefined : name
}
