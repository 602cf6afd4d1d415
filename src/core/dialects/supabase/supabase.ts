import { parseParams } from '../../url/params.ts'
import { decodeSegment } from '../../url/segment.ts'
import type { Answer, Call, Changes, Data, Dialect } from '../contract/dialect.ts'
import { rest } from '../rest/rest.ts'
import { hideMissingIds } from '../shared/hidden-ids.ts'
import { refuse, renderError } from './errors.ts'
import { parseRequest, type Selection } from './parse.ts'
import { findRows, project } from './read.ts'
import {
  applied,
  checkSingular,
  chooseMedia,
  contentRange,
  rangeOf,
  readPreferences,
  toAnswer,
} from './respond.ts'
import { findTable } from './table.ts'
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
}

function serve(call: Call, data: Data): Answer | Changes {
  const { method, path, search } = call
  const name = tableOf(path)
  if (name === undefined) {
    throw refuse(404, 'PGRST125', 'Invalid path specified in request URL')
  }
  const table = findTable(data, name)
  if (method === 'OPTIONS') {
    const allow = `OPTIONS,GET,HEAD,POST,${table.key.length > 0 ? 'PUT,' : ''}PATCH,DELETE`
    return { status: 200, headers: [['Allow', allow]], value: undefined }
  }
  const selection = parseRequest(name, parseParams(search))
  const isRead = method === 'GET' || method === 'HEAD'
  return isRead ? read(call, selection, data) : writeRows(call, table, selection, data)
}

function read(call: Call, selection: Selection, data: Data): Answer {
  const preferences = readPreferences(call)
  const media = chooseMedia(call)
  const slice = rangeOf(selection, call)
  const { records, total } = findRows(data, selection, [], slice)
  const projection = project(data, selection, records)
  const { start } = slice
  const known = preferences.count === undefined ? undefined : total
  const range = contentRange(start, start + records.length - 1, known)
  if (known !== undefined && start > known) {
    const details = `An offset of ${start} was requested, but there are only ${known} rows.`
    const error = refuse(416, 'PGRST103', 'Requested range not satisfiable', details)
    error.headers.push(range)
    throw error
  }
  checkSingular(media, records.length)
  const status = records.length < (known ?? 0) ? 206 : 200
  return toAnswer(status, [range, ...applied(preferences)], records, projection, media)
}

/** Returns the name of the table at a path; undefined outside of `/rest/v1`, and for another schema (`auth/users`). */
function tableOf(path: string): string | undefined {
  const name = decodeSegment(/^\/rest\/v1\/([^/]+)\/?$/.exec(path)?.[1] ?? '/')
  return name.includes('/') ? undefined : name
}
