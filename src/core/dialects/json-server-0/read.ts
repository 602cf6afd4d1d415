import { isRecord, type Json, type JsonRecord } from '../../json/json.ts'
import type { Answer, Call, Data } from '../contract/dialect.ts'
import { configuredKeyTo } from '../shared/configured-keys.ts'
import { isNil, textOf } from '../shared/js-values.ts'
import { filterRecords, searchRecords } from './filter.ts'
import { sortRecords } from './sort.ts'
import { cutPage } from './pages.ts'
import { own } from './path.ts'
import type { Target } from './target.ts'
import { parseQueryString } from './query-string.ts'
import { keyNamedAfter, relate } from './related.ts'

/**
 * Handles GET of a resource. Returns a singleton, or a list: applies search, filters, sort, page and related
 * records, in this order.
 */
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
  return [own(record, key)].flat().some((value) => textOf(value) === id)
}

/** Creates a 200 response with a JSON value. */
export function ok(value: unknown): Answer {
  return { status: 200, headers: [], value }
}

/** Finds the record of a collection with the id in the path, compared as text. */
export function findRecord({ name, id = '' }: Target, data: Data): JsonRecord | undefined {
  const found = data.find(name, id)
  return found && own(found, data.idField(name)) !== undefined ? found : undefined
}

/** Finds the object with the id in the path, in an array that also contains other values. */
function findValue({ name, id }: Target, data: Data): JsonRecord | undefined {
  const value = data.kindOf(name) === 'document' ? data.read(name) : undefined
  const records = Array.isArray(value) ? (value as readonly Json[]).filter(isRecord) : []
  return records.find((each) => !isNil(own(each, 'id')) && textOf(own(each, 'id')) === id)
}
