import { toWhere } from '../../dialects/supabase/filters.ts'
import type { Logic } from '../../dialects/supabase/parse.ts'
import { typeNamed } from '../../dialects/supabase/types.ts'
import { MockError } from '../../errors/mock-error.ts'
import { compareValues } from '../../json/compare.ts'
import { isRecord, type Json, type JsonRecord, ownValue } from '../../json/json.ts'
import { scalarText } from '../../json/scalar-text.ts'
import type { Operator } from '../../query/operators.ts'
import { toPredicate } from '../../query/select.ts'
import { sortBy } from '../../query/sort.ts'
import type { Where } from '../../query/tree.ts'
import type { Arguments } from './arguments.ts'
import type { Entity, Field } from './entities.ts'
import type { Records, Relation } from './records.ts'

/** A resource as a table of Hasura. */
export interface Table extends Entity {
  /** The columns that requests write, some of which they may not read. */
  columns: readonly Field[]
  /** The relations to other tables. */
  links: readonly Link[]
}

/** A relation of a table. */
export interface Link {
  field: string
  relation: Relation & { isMany: boolean }
  table: Table
}

/** The scalars of GraphQL and the types of PostgreSQL, by the formats and types of fields. */
const scalars: Readonly<Record<string, readonly [scalar: string, type: string]>> = {
  uuid: ['uuid', 'uuid'],
  date: ['date', 'date'],
  integer: ['Int', 'int4'],
  number: ['numeric', 'numeric'],
  boolean: ['Boolean', 'bool'],
  string: ['String', 'text'],
  'date-time': ['timestamptz', 'timestamptz'],
  json: ['jsonb', 'jsonb'],
}

function typesOf({ type, format }: Field): readonly [scalar: string, type: string] {
  const own =
    type === 'string' && typeof format === 'string' ? ownValue(scalars, format) : undefined
  return own ?? scalars[type] ?? ['jsonb', 'jsonb']
}

/** Returns the name of a field's scalar in the schema; that of a list is `_text`. */
export function scalarOf(field: Field): string {
  const [scalar, type] = typesOf(field)
  return field.isList ? `_${type}` : scalar
}

/** Returns the value of a field of a record as the request sees it; null if the record lacks the field. */
export function valueOf(table: Entity, { key }: Field, row: JsonRecord, records: Records): Json {
  return ownValue(row, records.fieldName(table.name, key)) ?? null
}

/** Returns the rows that a relation leads to. */
export function followLink(
  table: Entity,
  { relation }: Link,
  row: JsonRecord,
  records: Records,
): readonly JsonRecord[] {
  const related = records.related(table.name, relation, row)
  return isRecord(related) ? [related] : (related ?? [])
}

/** Finds the rows of a table, or of those related, by `where`, `order_by`, `distinct_on`, `limit` and `offset`. */
export function rowsOf(
  table: Table,
  args: Arguments,
  records: Records,
  related?: readonly JsonRecord[],
): readonly JsonRecord[] {
  const { order_by: order, distinct_on: distinct, limit, offset } = args
  const [count, start] = [limit ?? Infinity, offset ?? 0].map(Number)
  if (count === undefined || start === undefined || count < 0 || start < 0)
    throw invalid('unexpected negative value')
  const slice = { start, end: start + count }
  const where = toFilter(table, args['where'], records)
  const keys = [order ?? []].flat().flatMap((one) => toKeys(table, one, records))
  const sort = keys.flatMap(({ path, descending }) => (path ? [{ path, descending }] : []))
  const { name, kind } = table
  if (!related && kind === 'collection' && sort.length === keys.length && !distinct) {
    return records.list(name, { where, ...(sort.length > 0 && { sort }), slice }).records
  }
  const all =
    related ??
    (kind === 'collection' ? records.list(name, { where }).records : [records.value(name)])
  const found = all.filter(isRecord).filter(toPredicate({ where }))
  const sorted = sortBy(found, keys, (row, { read }) => read(row), compareValues)
  const columns = table.fields.filter((one) => [distinct ?? []].flat().includes(one.name))
  if (columns.length === 0) return sorted.slice(slice.start, slice.end)
  const firsts = new Map<string, JsonRecord>()
  for (const row of sorted) {
    const key = JSON.stringify(columns.map((one) => valueOf(table, one, row, records)))
    if (!firsts.has(key)) firsts.set(key, row)
  }
  return [...firsts.values()].slice(slice.start, slice.end)
}

/** The conditions of a request, whose results for related rows are kept until a write. */
const conditions = new WeakMap<Records, Map<string, Where>>()

/** Converts `where` to a condition. A comparison with null is unknown, as in SQL, and a relation holds if any row does. */
export function toFilter(table: Table, where: Json = null, records: Records): Where {
  const known = conditions.get(records) ?? new Map<string, Where>()
  const key = JSON.stringify([records.exchange.service.store.version, table.name, where])
  const condition = known.get(key) ?? createFilter(table, where, records)
  conditions.set(records, known.set(key, condition))
  return condition
}

function createFilter(table: Table, where: Json, records: Records): Where {
  const fieldOf = (column: string): Field | undefined =>
    table.fields.find(({ key }) => records.fieldName(table.name, key) === column)
  const typeOf = (column: string): ReturnType<typeof typeNamed> => {
    const field = fieldOf(column)
    const item = typeNamed(field ? typesOf(field)[1] : 'jsonb')
    return field?.isList ? { name: `${item.name}[]`, kind: 'array', item } : item
  }
  return toWhere(toLogic(table, where, records), {
    table: { name: table.name, has: () => true, typeOf },
    selection: { embeds: [] },
    hasEmbedded: () => ({ and: [] }),
  })
}

function toLogic(table: Table, given: Json | undefined, records: Records): Logic {
  const parts = Object.entries(isRecord(given) ? given : {}).flatMap(([name, value]): Logic[] => {
    if (value === null) return []
    const joined = ownValue(junctions, name)
    if (joined) {
      return [{ ...joined, parts: [value].flat().map((one) => toLogic(table, one, records)) }]
    }
    const link = table.links.find(({ field }) => field === name)
    if (link) {
      const test = toPredicate({ where: toFilter(link.table, value, records) })
      const idKey = records.fieldName(table.name, table.idField)
      const known = new Map<Json | undefined, boolean>()
      const exists = (row: JsonRecord): boolean => {
        const id = ownValue(row, idKey)
        const holds =
          known.get(id) ?? followLink(table, link, row, records).some((one) => test(one))
        known.set(id, holds)
        return holds
      }
      const operator = { name: `related ${name}`, readsOthers: true, compile: () => exists }
      return [{ isNegated: false, where: { path: [], operator, operands: [] } }]
    }
    const field = table.fields.find((one) => one.name === name)
    if (!field || !isRecord(value)) return []
    const column = records.fieldName(table.name, field.key)
    return Object.entries(value).map(([operator, operand]) =>
      toComparison(field, column, operator, operand),
    )
  })
  return { join: 'and', isNegated: false, parts }
}

const junctions: Readonly<Record<string, { join: 'and' | 'or'; isNegated: boolean }>> = {
  _and: { join: 'and', isNegated: false },
  _or: { join: 'or', isNegated: false },
  _not: { join: 'and', isNegated: true },
}

function toComparison(field: Field, column: string, name: string, operand: Json): Logic {
  if (operand === null) throw invalid(`unexpected null value for type '${scalarOf(field)}'`)
  const [, no, plain = ''] = /^_(n(?=eq$|in$|i?like$|similar$|i?regex$))?(.*)$/.exec(name) ?? []
  const of = { column, steps: [] }
  if (plain === 'is_null') {
    return { field: of, operator: 'is', value: 'null', isNegated: operand !== true }
  }
  if (plain.startsWith('has_key')) {
    const keys = [operand].flat().map(String)
    const has = (row: JsonRecord): boolean => {
      const value = ownValue(row, column) ?? null
      const test = (key: string): boolean =>
        isRecord(value) ? Object.hasOwn(value, key) : Array.isArray(value) && value.includes(key)
      return plain.endsWith('any') ? keys.some(test) : keys.every(test)
    }
    const operator: Operator = { name: plain, compile: () => has }
    return { isNegated: false, where: { path: [column], operator, operands: keys } }
  }
  const toText = (one: Json): string =>
    typeof one === 'string' && !isJson(field) ? one : JSON.stringify(one)
  const text = toText(operand)
  return {
    field: of,
    operator: ownValue(operators, plain) ?? plain,
    value: plain === 'similar' ? toExpression(text) : text,
    ...(plain === 'in' && { values: [operand].flat().map(toText) }),
    isNegated: no !== undefined,
  }
}

/** The operators of PostgREST for those of Hasura that have other names. */
const operators: Readonly<Record<string, string>> = {
  similar: 'match',
  regex: 'match',
  iregex: 'imatch',
  contains: 'cs',
  contained_in: 'cd',
}

/** Converts a pattern of SIMILAR TO to a regular expression. */
function toExpression(pattern: string): string {
  const signs: Readonly<Record<string, string>> = { '%': '[^]*', _: '[^]' }
  const toSign = (sign: string): string => signs[sign] ?? `\\${sign}`
  return `^(?:${pattern.replaceAll(/[.^$%_]/g, toSign)})$`
}

/** A key of an order: how it reads a row, and the path of a field whose order the query engine has. */
interface OrderKey {
  read(row: JsonRecord): Json
  descending: boolean
  path?: string[] | undefined
}

/** Reads an entry of `order_by`: columns, those of a related row, and aggregates of related rows. */
function toKeys(table: Table, order: Json, records: Records): OrderKey[] {
  return Object.entries(isRecord(order) ? order : {}).flatMap(([name, value]): OrderKey[] => {
    const link = table.links.find(({ field }) => name === field || name === `${field}_aggregate`)
    if (link && name === link.field) {
      return toKeys(link.table, value, records).map(({ read, descending }) => ({
        read: (row) => read(followLink(table, link, row, records)[0] ?? {}),
        descending,
      }))
    }
    if (link) {
      return Object.entries(isRecord(value) ? value : {}).flatMap(([kind, inner]) => {
        const rows = (row: JsonRecord) => followLink(table, link, row, records)
        if (kind === 'count') return toKey(inner, (row) => rows(row).length)
        return Object.entries(isRecord(inner) ? inner : {}).flatMap(([column, way]) => {
          const field = link.table.fields.find((one) => one.name === column)
          if (!field) return []
          return toKey(way, (row) => aggregate(kind, link.table, field, rows(row), records))
        })
      })
    }
    const field = table.fields.find((one) => one.name === name)
    if (!field) return []
    const path = [records.fieldName(table.name, field.key)]
    return toKey(
      value,
      (row) => valueOf(table, field, row, records),
      path,
      field.key === table.idField,
    )
  })
}

/** Nulls are last in ascending order and first in descending order, unless the direction says so. */
function toKey(way: Json, read: OrderKey['read'], path?: string[], isSet = false): OrderKey[] {
  if (way === null) return []
  const direction = scalarText(way)
  const descending = direction.startsWith('desc')
  if (isSet || direction.endsWith('nulls_last') || direction === 'asc')
    return [{ read, descending, path }]
  return [
    { read: (row) => Number(read(row) !== null), descending: false },
    { read, descending },
  ]
}

/** Computes an aggregate of a column; null of no values. */
export function aggregate(
  kind: string,
  table: Table,
  field: Field,
  rows: readonly JsonRecord[],
  records: Records,
): Json {
  const values = rows.map((row) => valueOf(table, field, row, records))
  const given = values.filter((one) => one !== null)
  return given.length === 0 ? null : (ownValue(aggregates, kind)?.(given) ?? null)
}

const sum = (values: readonly Json[]): number =>
  values.reduce<number>((all, one) => all + Number(one), 0)

const aggregates: Readonly<Record<string, (values: readonly Json[]) => Json>> = {
  sum,
  avg: (values) => sum(values) / values.length,
  max: (values) =>
    values.reduce((one, other) => (compareValues(one, other, false) < 0 ? other : one)),
  min: (values) =>
    values.reduce((one, other) => (compareValues(one, other, false) > 0 ? other : one)),
}

/** Creates the error of an argument that Hasura refuses. */
export function invalid(message: string): MockError {
  return new MockError(message, { status: 400, code: 'QUERY_INVALID' })
}

/** Whether a field holds numbers. */
export function isNumeric({ type, isList }: Field): boolean {
  return !isList && (type === 'integer' || type === 'number')
}

/** Whether a field holds JSON. */
export function isJson({ type, isList }: Field): boolean {
  return type === 'json' && !isList
}
