import { isRecord, type Json, type JsonRecord } from '../../json/json.ts'
import type { Answer, Call, Data } from '../contract/dialect.ts'
import { isNil, textOf } from '../shared/js-values.ts'
import { filterRecords, searchRecords } from './filter.ts'
import { sortRecords } from './sort.ts'
import { cutPage } from './pages.ts'
import { own } from './path.ts'
import type { Place } from './target.ts'
import { parseQueryString } from './query-string.ts'
import { relate } from './related.ts'

/** A request to read, and what. */
interface Reading {
  call: Call
  place: Place
  data: Data
}

/** The parameters of a list that are never filters. */
const reserved = ['q', '_start', '_end', '_sort', '_order', '_limit', '_embed', '_expand', '_delay']

/** Answers a list, in this order: search, filters, sort, page, related records; or a singleton. */
export function readList({ call, place, data }: Reading): Answer | undefined {
  const { name, scope } = place
  const value = data.read(name)
  if (!Array.isArray(value)) return value === undefined ? undefined : ok(value)
  const parameters = parseQueryString(call.search)
  if (scope) parameters[scope[0]] = scope[1]
  const filters = Object.fromEntries(
    Object.entries(parameters).filter(([each]) => !reserved.includes(each)),
  )
  const { q, _sort, _order } = parameters
  const known = value as readonly Json[]
  const searched = q ? searchRecords(known, q) : known
  const filtered = filterRecords(searched, filters, known)
  const sorted = _sort ? sortRecords(filtered, _sort, _order) : filtered
  const { records, headers } = cutPage(sorted, parameters, call.url)
  return { ...ok(relate(records, name, parameters, data)), headers }
}

/** Answers one record with what is related to it. */
export function readMember({ call, place, data }: Reading): Answer | undefined {
  const { name } = place
  const found = findRecord(place, data)
  const record = found ? data.shown(name, found) : findValue(place, data)
  if (record === undefined) return undefined
  return ok(relate([record], name, parseQueryString(call.search), data)[0])
}

/** Answers with the data of all resources. */
export function readAll(data: Data): Answer {
  return ok(Object.fromEntries(data.names().map((name) => [name, data.read(name)])))
}

/** An answer that shows a value. */
export function ok(value: unknown): Answer {
  return { status: 200, headers: [], value }
}

/** The record of a collection that a path names, by the text of its id. */
export function findRecord({ name, id = '' }: Place, data: Data): JsonRecord | undefined {
  const found = data.find(name, id)
  return found && own(found, data.idField(name)) !== undefined ? found : undefined
}

/** The record that a path names in an array that holds other values too. */
function findValue({ name, id }: Place, data: Data): JsonRecord | undefined {
  const value = data.kindOf(name) === 'document' ? data.read(name) : undefined
  const records = Array.isArray(value) ? (value as readonly Json[]).filter(isRecord) : []
  return records.find((each) => !isNil(own(each, 'id')) && textOf(own(each, 'id')) === id)
}
