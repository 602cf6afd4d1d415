import { clone, isRecord, isSame, type Json, type JsonRecord, ownValue } from '../../json/json.ts'
import { operators } from '../../query/operators.ts'
import { type Params, parseParams } from '../../url/params.ts'
import type { Answer, Call, Change, Changes, Data } from '../contract/dialect.ts'
import { withHiddenId } from '../shared/hidden-ids.ts'
import { refuse } from './errors.ts'
import { parseColumns, type Selection } from './parse.ts'
import { findRows, project } from './read.ts'
import {
  applied,
  checkSingle,
  chooseMedia,
  contentRange,
  parseCsv,
  type Preferences,
  readPreferences,
  toAnswer,
} from './respond.ts'
import { foreignKeysOf, type Table } from './table.ts'
import { convert, textOf } from './types.ts'

/** A write request, with what its parameters and headers say. */
interface WriteRequest {
  call: Call
  params: Params
  table: Table
  selection: Selection
  preferences: Preferences
  data: Data
}

/** The changes of a write request, and its response. */
interface Plan {
  changes: Change[]
  /** The removed rows. */
  removed?: readonly JsonRecord[]
  status: number
  /** The first and last row in `Content-Range`; undefined for a response without it. */
  range?: [first: number, last: number]
  /** The preferences that the response follows. */
  followed: string[]
}

/** Inserts, upserts, updates or removes rows. @throws MockError for a wrong row, and for more or fewer rows than allowed */
export function writeRows(given: Omit<WriteRequest, 'preferences'>): Changes {
  const { call, selection, data } = given
  const preferences = readPreferences(call)
  const media = chooseMedia(call)
  const request = { ...given, preferences }
  const { changes, removed, status, range, followed } = (actions[call.method] ?? insert)(request)
  const count = removed?.length ?? changes.length
  const { handling, tx, 'max-affected': most } = preferences
  const isLimited = handling === 'strict' && followed.includes('max-affected')
  if (isLimited && count > Number(most)) {
    const message = 'Query result exceeds max-affected preference constraint'
    throw refuse(400, 'PGRST124', message, `The query affects ${count} rows`)
  }
  checkSingle(media, count)
  const total = /exact|estimated/.test(preferences['count'] ?? '') ? count : undefined
  const headers = [
    ...(range ? [contentRange(...range, total)] : []),
    ...applied(preferences, 'return', ...followed),
  ]
  const isShown = preferences['return'] === 'representation'
  const answer = (rows: readonly JsonRecord[]): Answer => {
    if (isShown) {
      const projection = project(data, { ...selection, filters: [] }, rows)
      return toAnswer(status, headers, rows, projection, media)
    }
    const shown = [...headers, ...location(request, rows)]
    return { status: status === 200 ? 204 : status, headers: shown, value: undefined }
  }
  // Related rows may be removed with a row.
  const early = removed && answer(removed)
  if (tx !== 'rollback') return { changes, answer: (stored) => early ?? answer(stored) }
  return { changes: [], answer: () => early ?? answer(changes.map(({ record = {} }) => record)) }
}

const actions: Readonly<Record<string, (request: WriteRequest) => Plan>> = {
  POST: insert,
  PUT: put,
  PATCH: update,
  DELETE: remove,
}

/** Returns the header `Location` of an inserted row, with the filters that find the row. */
function location(
  { table: { key }, preferences }: WriteRequest,
  [row]: readonly JsonRecord[],
): Answer['headers'] {
  if (preferences['return'] !== 'headers-only' || !row || key.length === 0) return []
  const filters = key.map((one) => `${one}=eq.${encodeURIComponent(textOf(row[one] ?? ''))}`)
  return [['Location', `?${filters.join('&')}`]]
}

function insert(request: WriteRequest): Plan {
  const target = columnsIn(request, 'on_conflict') ?? request.table.key
  const { resolution } = request.preferences
  const changes = upsert(request, readRows(request), target, resolution)
  const isUpsert = resolution === 'merge-duplicates' && target.length > 0
  const status = isUpsert && !hasNew(changes) ? 200 : 201
  const followed = target.length > 0 ? ['resolution', 'missing'] : ['missing']
  return { changes, status, range: [1, 0], followed }
}

function hasNew(changes: readonly Change[]): boolean {
  return changes.some(({ action }) => action === 'create')
}

/** Inserts or replaces the row that filters of the primary key name. @throws MockError PGRST105, PGRST114, PGRST115 */
function put(request: WriteRequest): Plan {
  const { table, selection, preferences } = request
  const { filters, limit, offset } = selection
  if (limit !== undefined || offset !== undefined) {
    const message = 'limit/offset querystring parameters are not allowed for PUT'
    throw refuse(400, 'PGRST114', message)
  }
  const named = new Map(
    filters.flatMap((one): [string, string][] => {
      const isEqual = 'operator' in one && one.operator === 'eq' && !one.isNegated
      return isEqual ? [[one.field.column, one.value]] : []
    }),
  )
  const { key } = table
  const sizes = [filters.length, key.length, key.filter((column) => named.has(column)).length]
  if (named.size === 0 || sizes.some((size) => size !== named.size)) {
    const message = "Filters must include all and only primary key columns with 'eq' operators"
    throw refuse(405, 'PGRST105', message)
  }
  const isNamed = (row: JsonRecord): boolean =>
    key.every((column) => textOf(row[column] ?? null) === named.get(column))
  const rows = readRows(request).filter(isNamed)
  if (rows.length === 0) {
    throw refuse(400, 'PGRST115', 'Payload values do not match URL in primary key column(s)')
  }
  const changes = upsert(request, rows, key, 'merge-duplicates')
  const isShown = preferences['return'] === 'representation'
  return { changes, status: isShown && hasNew(changes) ? 201 : 200, followed: [] }
}

function update(request: WriteRequest): Plan {
  const [values = {}] = readRows(request)
  const isEmpty = Object.keys(values).length === 0
  const rows = isEmpty ? [] : findRows(request.data, request.selection).records
  const changes = rows.map((row) => toPatch(request, row, values))
  checkRows(request, changes)
  return {
    changes,
    status: 200,
    range: [0, rows.length - 1],
    followed: ['missing', 'max-affected'],
  }
}

function remove({ table, selection, data }: WriteRequest): Plan {
  const removed = findRows(data, selection).records
  const changes = new Map<string, Change>()
  const add = (name: string, row: JsonRecord): void => {
    const id = textOf(row[data.idField(name)] ?? '')
    if (changes.has(`${name}/${id}`)) return
    changes.set(`${name}/${id}`, { action: 'remove', name, id })
    for (const { child, key, parent, dependent } of data.foreignKeys()) {
      if (parent !== name || !dependent) continue
      for (const one of findEqual(data, child, { [key]: id })) add(child, one)
    }
  }
  for (const row of removed) add(table.name, row)
  return {
    changes: [...changes.values()],
    removed,
    status: 200,
    range: [1, 0],
    followed: ['max-affected'],
  }
}

/** Plans the insertion of rows; a row whose values exist in the columns `target` is merged or left out. */
function upsert(
  request: WriteRequest,
  rows: readonly JsonRecord[],
  target: readonly string[],
  resolution: string | undefined,
): Change[] {
  const { table, data } = request
  const { name, idField } = table
  const changes = rows.flatMap((row, index): Change | Change[] => {
    const wanted = Object.fromEntries(target.map((column) => [column, row[column] ?? null]))
    const [existing] = resolution === undefined ? [] : findEqual(data, name, wanted)
    if (existing) return resolution === 'merge-duplicates' ? toPatch(request, existing, row) : []
    const record = { ...row }
    for (const column of table.columns) {
      const value = table.defaultOf(column)
      if (value !== undefined && !Object.hasOwn(record, column)) record[column] = clone(value)
    }
    if (table.has(idField)) return { action: 'create', name, record }
    // The hidden id that a saved fixture gives the row, unless rows were removed.
    const position = data.run(name, { slice: { start: 0, end: 0 } }).total + index
    const isTaken = findEqual(data, name, { [idField]: `\0${name}/${position}` }).length > 0
    const id = `\0${name}/${isTaken ? data.random() : position}`
    return { action: 'create', name, record: withHiddenId(record, idField, id) }
  })
  checkRows(request, changes)
  return changes
}

function toPatch({ table, data }: WriteRequest, row: JsonRecord, values: JsonRecord): Change {
  const { name, idField } = table
  const id = textOf(row[idField] ?? '')
  const merged = { ...row, ...values }
  const record = Object.hasOwn(merged, idField) ? merged : withHiddenId(merged, idField, id)
  return { action: 'patch', name, record, ...(data.kindOf(name) === 'collection' && { id }) }
}

/** Finds the rows with some values, none of which is null. */
function findEqual(data: Data, table: string, values: JsonRecord): readonly JsonRecord[] {
  const entries = Object.entries(values)
  if (entries.length === 0 || entries.some(([, value]) => value === null)) return []
  const and = entries.map(([column, value]) => {
    return { path: [column], operator: operators.eq, operands: [textOf(value)] }
  })
  return data.run(table, { where: { and } }).records
}

/** Checks the constraints of rows to be written. @throws MockError 23502, 23503, 23505 */
function checkRows({ table, data }: WriteRequest, changes: readonly Change[]): void {
  const { name, columns, idField } = table
  const references = foreignKeysOf(data).filter(
    ({ child, isChecked }) => child === name && isChecked,
  )
  const given = new Set<string>()
  for (const { id, record = {} } of changes) {
    const valueOf = (column: string): Json => ownValue(record, column) ?? null
    const listed = (some: readonly string[]): string =>
      some.map((one) => textOf(valueOf(one))).join(', ')
    const missing = columns.find(
      (column) =>
        valueOf(column) === null && table.isRequired(column, Object.hasOwn(record, column)),
    )
    if (missing !== undefined) {
      const message = `null value in column "${missing}" of relation "${name}" violates not-null constraint`
      throw refuse(400, '23502', message, `Failing row contains (${listed(columns)}).`)
    }
    for (const { key, parent, far, constraint } of references) {
      const value = valueOf(key)
      const wanted = { [far]: value }
      if (value === null || Array.isArray(value) || findEqual(data, parent, wanted).length > 0)
        continue
      const message = `insert or update on table "${name}" violates foreign key constraint "${constraint}"`
      throw refuse(
        409,
        '23503',
        message,
        `Key (${key})=(${textOf(value)}) is not present in table "${parent}".`,
      )
    }
    for (const group of table.unique) {
      const values = Object.fromEntries(group.map((column) => [column, valueOf(column)]))
      const taken = `${group.join()} ${JSON.stringify(Object.values(values))}`
      const others = findEqual(data, name, values).filter(
        (row) => textOf(row[idField] ?? '') !== id,
      )
      const isNull = Object.values(values).includes(null)
      if (others.length === 0 && (isNull || !given.has(taken))) {
        given.add(taken)
        continue
      }
      const constraint = isSame(group, table.key)
        ? `${name}_pkey`
        : `${name}_${group.join('_')}_key`
      const message = `duplicate key value violates unique constraint "${constraint}"`
      throw refuse(
        409,
        '23505',
        message,
        `Key (${group.join(', ')})=(${listed(group)}) already exists.`,
      )
    }
  }
}

function columnsIn({ params }: WriteRequest, name: string): string[] | undefined {
  const found = params.find(([one]) => one === name)
  return found && parseColumns(name, found[1])
}

/** Reads the rows of the body, with values of the types of their columns. @throws MockError PGRST102, PGRST204, 22P02 */
function readRows(request: WriteRequest): JsonRecord[] {
  const { call, table, preferences } = request
  const rows = parseBody(call)
  const columns = columnsIn(request, 'columns')
  const names = columns ?? Object.keys(rows[0] ?? {})
  const isUniform = rows.every((row) => isSame(Object.keys(row).sort(), names.toSorted()))
  if (!columns && !isUniform) throw differentKeys()
  const unknown = names.find((column) => !table.has(column))
  if (unknown !== undefined) {
    const message = `Could not find the '${unknown}' column of '${table.name}' in the schema cache`
    throw refuse(400, 'PGRST204', message)
  }
  const hasDefaults = preferences['missing'] === 'default'
  return rows.map((row) => {
    const pairs = names.flatMap((name): [string, Json][] => {
      const isMissing = !Object.hasOwn(row, name)
      // An insert adds the default of a column that the row lacks.
      if (isMissing && hasDefaults && call.method !== 'PATCH') return []
      const value = isMissing && hasDefaults ? table.defaultOf(name) : row[name]
      return [[name, convert(value ?? null, table.typeOf(name))]]
    })
    return Object.fromEntries(pairs)
  })
}

function parseBody(call: Call): JsonRecord[] {
  const [type = ''] = (call.headers['content-type'] ?? 'application/json').split(';', 1)
  if (type === 'text/csv') return parseCsv(call.text)
  if (type === 'application/x-www-form-urlencoded') {
    return [Object.fromEntries(parseParams(`?${call.text}`))]
  }
  if (!/^application\/(?:[\w.]+\+)?json$/i.test(type.trim())) {
    throw refuse(400, 'PGRST102', `Content-Type not acceptable: ${type}`)
  }
  let body: Json
  try {
    body = call.json()
  } catch {
    throw refuse(400, 'PGRST102', 'Empty or invalid json')
  }
  const list = Array.isArray(body) ? body : isRecord(body) ? [body] : []
  if (list.every(isRecord)) return list
  throw differentKeys()
}

function differentKeys(): Error {
  return refuse(400, 'PGRST102', 'All object keys must match')
}
