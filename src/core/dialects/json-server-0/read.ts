import { isRecord, type Json, type JsonRecord } from '../../json/json.ts'
import type { Answer, Call, Data } from '../contract/dialect.ts'
import { configuredKeyTo } from '../shared/configured-keys.ts'
import { isNil, textOf, isLess, isAtMost } from '../shared/js-values.ts'
import { ownProperty, readPath, hasPath } from './path.ts'
import type { Target } from './target.ts'
import { parseQueryString, type Value, type Parameters } from './query-string.ts'
import { keyNamedAfter, relate } from './related.ts'
import { sortBy } from '../../query/sort.ts'
import { maxNames } from '../shared/name-limit.ts'
import type { MockError } from '../../errors/mock-error.ts'
import { wrongParameter } from '../shared/wrong-parameter.ts'
import { type Budget, compileRegExp } from '../shared/regexp.ts'

/** Handles GET of a resource: applies search, filters, sort, page and related records, in this order. */
export function readList({ call, target, data }: ReadRequest): Answer | undefined {
  const { name, parent } = target
  const value = data.read(name)
  if (!Array.isArray(value)) return value === undefined ? undefined : ok(value)
  const parameters = parseQueryString(call.search)
  const configured = parent && configuredKeyTo(parent.name, name, data)
  // Unlike a configured key, a key that is named after the parent is a filter, which is ignored if no
  // record has the key.
  if (parent && !configured) parameters[keyNamedAfter(parent.name, data)] = parent.id
  const filters = Object.fromEntries(
    Object.entries(parameters).filter(([each]) => !reserved.includes(each)),
  )
  const { q, _sort, _order } = parameters
  const all = value as readonly Json[]
  const children = configured ? all.filter((one) => references(one, configured, parent.id)) : all
  const searched = q ? searchRecords(children, q) : children
  const filtered = filterRecords(searched, filters, all)
  const sorted = _sort ? sortRecords(filtered, _sort, _order) : filtered
  const { records, headers } = cutPage(sorted, parameters, call.url)
  return { ...ok(relate(records, name, parameters, data)), headers }
}

/** Handles GET of a record. Returns the record with its related records. */
export function readMember({ call, target, data }: ReadRequest): Answer | undefined {
  const { name } = target
  const found = findRecord(target, data)
  const record = found ? data.shown(name, found) : findValue(target, data)
  if (record === undefined) return undefined
  return ok(relate([record], name, parseQueryString(call.search), data)[0])
}

/** Handles `GET /db`. Returns the data of all resources. */
export function readAll(data: Data): Answer {
  return ok(Object.fromEntries(data.names().map((name) => [name, data.read(name)])))
}

/** A GET request, the resource or record that its path names, and the data of the mock. */
interface ReadRequest {
  call: Call
  target: Target
  data: Data
}

/** The list parameters that are never filters. */
const reserved = ['q', '_start', '_end', '_sort', '_order', '_limit', '_embed', '_expand', '_delay']

/** Whether a record's foreign key, which can be a list of ids, references a record. */
function references(record: Json, key: string, id: string): boolean {
  return [ownProperty(record, key)].flat().some((value) => textOf(value) === id)
}

/** Creates a 200 response with a JSON value. */
export function ok(value: unknown): Answer {
  return { status: 200, headers: [], value }
}

/** Finds the record of a collection with the id in the path, compared as text. */
export function findRecord({ name, id = '' }: Target, data: Data): JsonRecord | undefined {
  const found = data.find(name, id)
  return found && ownProperty(found, data.idField(name)) !== undefined ? found : undefined
}

/** Finds the object with the id in the path, in an array that also contains other values. */
function findValue({ name, id }: Target, data: Data): JsonRecord | undefined {
  const value = data.kindOf(name) === 'document' ? data.read(name) : undefined
  const records = Array.isArray(value) ? (value as readonly Json[]).filter(isRecord) : []
  return records.find(
    (each) => !isNil(ownProperty(each, 'id')) && textOf(ownProperty(each, 'id')) === id,
  )
}

/** Sorts by at most 100 fields of `_sort`, ascending unless `_order` has `desc` there; ignores a repeated `_sort`. */
function sortRecords(
  records: readonly Json[],
  sort: Value,
  order: Value | undefined,
): readonly Json[] {
  if (typeof sort !== 'string') return records
  const orders = typeof order === 'string' ? order.toLowerCase().split(',') : []
  const keys = sort
    .split(',', maxNames)
    .map((path, at) => ({ path, descending: orders[at] === 'desc' }))
  return sortBy(
    records,
    keys,
    (record, { path }) => readPath(record, path),
    (left, right, descending) => (descending ? -1 : 1) * compare(left, right),
  )
}

/** Compares as lodash does: values by JavaScript's rules, then null, then undefined. */
function compare(left: unknown, right: unknown): number {
  const rank = rankOf(left) - rankOf(right)
  if (rank !== 0) return rank
  if (isLess(right, left)) return 1
  return isLess(left, right) ? -1 : 0
}

function rankOf(value: unknown): number {
  if (value === undefined) return 2
  return value === null ? 1 : 0
}

/** Cuts the page that `_page`, else `_end`, else `_limit` selects, and adds `X-Total-Count` and `Link`. */
function cutPage(
  records: readonly Json[],
  { _page, _end, _limit, _start }: Parameters,
  url: string,
): { records: readonly Json[]; headers: Answer['headers'] } {
  if (!_page && !_end && !_limit) return { records, headers: [] }
  const headers: Answer['headers'] = [['X-Total-Count', String(records.length)]]
  if (!_page) {
    const start = whole(_start) || 0
    return { records: records.slice(start, _end ? whole(_end) : start + whole(_limit)), headers }
  }
  const page = Math.max(1, whole(_page) || 1)
  const size = whole(_limit) || 10
  const cut = records.slice((page - 1) * size, page * size)
  const isPart = cut.length > 0 && cut.length < records.length
  const links = isPart && {
    first: 1,
    ...(page > 1 && { prev: page - 1 }),
    ...(page * size < records.length && { next: page + 1 }),
    last: Math.ceil(records.length / size),
  }
  // Like json-server, replaces the first `page=` of the URL, whichever parameter it belongs to.
  const link = Object.entries(links).map(
    ([relation, to]) => `<${url.replace(`page=${page}`, `page=${to}`)}>; rel="${relation}"`,
  )
  return { records: cut, headers: [...headers, ['Link', link.join(', ')]] }
}

function whole(value: Value | undefined): number {
  return Number.parseInt(textOf(value), 10)
}

/** Returns the records that match every filter; the whole collection (`all`) decides which parameters are filters. */
function filterRecords(
  records: readonly Json[],
  parameters: Parameters,
  all: readonly Json[],
): readonly Json[] {
  // One or two seconds.
  const budget: Budget = { left: 20_000_000 }
  let found = records
  for (const [name, value] of Object.entries(parameters)) {
    if (isFilter(name, all)) found = found.filter(toTest(name, value, budget))
  }
  return found
}

/** Returns the records that contain a string in any value at any depth, ignoring case (`q`). */
function searchRecords(records: readonly Json[], q: Value): readonly Json[] {
  const [text] = [q].flat()
  if (typeof text !== 'string') return []
  const searched = text.toLowerCase()
  return records.filter((record) =>
    Object.values(record ?? {}).some((each) => contains(each, searched)),
  )
}

/** Matches the end of a name that selects an operator: `views_gte`, `title_like`; others compare for equality. */
const suffix = /_(?:lte|gte|ne|like)$/

/** Creates the test of a field's value, which is never null, against the values of a parameter. */
type Operator = (
  operands: readonly Value[],
  name: string,
  budget: Budget,
) => (value: unknown) => boolean

/** A repeated parameter matches if any of its values matches; a repeated `_ne`, if all match. */
const operators: Record<string, Operator> = {
  _gte: (operands) => (value) => operands.some((operand) => isAtMost(operand, value)),
  _lte: (operands) => (value) => operands.some((operand) => isAtMost(value, operand)),
  _ne(operands) {
    const isEqual = equals(operands)
    return (value) => !isEqual(value)
  },
  _like(operands, name, budget) {
    const tests = operands.map((operand) => toLike(operand, name, budget))
    return (value) => tests.some((test) => test(value))
  },
}

function toLike(operand: Value, name: string, budget: Budget): (value: unknown) => boolean {
  let test: ReturnType<typeof compileRegExp> | undefined
  return (value) => {
    try {
      test ??= compileRegExp(textOf(operand), budget)
      return test(textOf(value))
    } catch (cause) {
      throw wrongRegExp(name, cause)
    }
  }
}

function equals(operands: readonly Value[]): (value: unknown) => boolean {
  const accepted = new Set<unknown>(operands)
  return (value) => accepted.has(textOf(value))
}

/** Whether a parameter is a filter: its name has an operator suffix, or is a path in any record. */
function isFilter(name: string, records: readonly Json[]): boolean {
  if (name === 'callback' || name === '_') return false
  if (suffix.test(name)) return records.length > 0
  return records.some((record) => hasPath(record, name))
}

/** Creates the test of a filter; a field that is null or missing matches no filter. */
function toTest(name: string, value: Value, budget: Budget): (record: Json) => boolean {
  const operatorName = suffix.exec(name)?.[0]
  const path = name.replace(suffix, '')
  const operator = operators[operatorName ?? ''] ?? equals
  const test = operator([value].flat(), name, budget)
  return (record) => {
    const found = readPath(record, path)
    return !isNil(found) && test(found)
  }
}

function wrongRegExp(name: string, cause: unknown): MockError {
  const reason = cause instanceof SyntaxError ? cause.message : 'it is not a regular expression'
  return wrongParameter(name, reason, `${reason}. Please send another one.`, cause)
}

/** Whether a value contains a string; a falsy value contains nothing, and nothing contains the empty string. */
function contains(value: unknown, searched: string): boolean {
  if (!value || searched === '') return false
  if (typeof value === 'object')
    return Object.values(value).some((each) => contains(each, searched))
  return textOf(value).toLowerCase().includes(searched)
}
