import { MockError } from '../../errors/mock-error.ts'
import { clone, define, isRecord, type Json, type JsonRecord, ownValue } from '../../json/json.ts'
import { scalarText } from '../../json/scalar-text.ts'
import { idOperators, operators } from '../../query/operators.ts'
import type { Query, SortKey, Where } from '../../query/tree.ts'
import { fromBase64 } from '../../text/base64.ts'
import { singularOf } from '../../text/plurals.ts'
import { type Entity, type Field, fieldNamed, isSameName, toStoredId } from './entities.ts'
import type { Records } from './records.ts'

/** The arguments of a field. */
export type Arguments = Readonly<Record<string, Json>>

/** Returns the value of the first argument whose name a pattern matches. */
function named(args: Arguments, pattern: RegExp): Json | undefined {
  return Object.entries(args).find(([name]) => pattern.test(name))?.[1]
}

/** Reads the filters, the search and the order that the arguments of a list ask for, by their usual names. */
export function toQuery(entity: Entity, args: Arguments, records: Records): Query {
  // A filter may hold the search as well.
  const all = { ...args, ...Object.values(args).find(isRecord) }
  const others = Object.fromEntries(Object.entries(all).filter(([name]) => !fieldOf(entity, name)))
  const search = named(others, /^(?:q|query|search|text|term)$/i)
  const order = named(args, /^(?:order|sort)_?(?:by|field)?$/i)
  const direction = named(args, /^(?:order|sort)_?(?:order|direction)$/i) ?? 'asc'
  const and = toConditions(entity, args, records, false)
  const sort = toSorts(entity, order, scalarText(direction), records)
  return {
    ...(and.length > 0 && { where: { and } }),
    ...(typeof search === 'string' && { search }),
    ...(sort.length > 0 && { sort }),
  }
}

/** Finds the readable field that an argument names, also in the plural. */
function fieldOf(entity: Entity, name: string): Field | undefined {
  const field = fieldNamed(entity, name) ?? fieldNamed(entity, singularOf(name))
  return field?.isWriteOnly ? undefined : field
}

/** Reads conditions: `title`, `views_gt`, `views: { gt: 5 }`, also inside of arguments such as `filter`. */
function toConditions(
  entity: Entity,
  args: Arguments,
  records: Records,
  isFilter: boolean,
): Where[] {
  return Object.entries(args).flatMap(([name, value]): Where[] => {
    // A variable of an argument that is left out is null.
    if (value === null && !isFilter) return []
    const [, start = '', end = ''] = /^(.+)_([^_]+)$/.exec(name) ?? []
    const suffix = operatorOf(end)
    const field = fieldOf(entity, name)
    if (field && isRecord(value)) {
      return Object.entries(value).map(([operator, operand]) =>
        toCondition(entity, field, operatorOf(operator) ?? 'eq', operand, records),
      )
    }
    if (field) {
      // A list has to hold each of several values.
      const each = field.isList ? [value].flat() : [value]
      return each.map((one) => toCondition(entity, field, 'in', one, records))
    }
    const compared = suffix && fieldOf(entity, start)
    if (compared) return [toCondition(entity, compared, suffix, value, records)]
    const relation = entity.relations.find((one) => isSameName(one.name, name))
    if (!relation) return isRecord(value) ? toConditions(entity, value, records, true) : []
    const isRelated = (record: JsonRecord): boolean =>
      [records.related(entity.name, relation, record)]
        .flat()
        .some((one) => one && Object.values(one).includes(value))
    const operator = { name: `related ${name}`, readsOthers: true, compile: () => isRelated }
    return [{ path: [], operator, operands: [] }]
  })
}

/** Operators by the names that filters of GraphQL give them, besides those of REST. */
const operatorNames = { equals: 'eq', neq: 'ne', not: 'ne', notin: 'nin', q: 'contains' }

function operatorOf(name: string): string | undefined {
  const plain = name.replaceAll('_', '')
  const known = Object.keys(operators).find((one) => isSameName(one, plain))
  return ownValue<string>(operatorNames, plain.toLowerCase()) ?? known
}

/** Compares a field with values. A missing field counts as null. */
function toCondition(
  { name }: Entity,
  field: Field,
  operator: string,
  value: Json,
  records: Records,
): Where {
  const path = [records.fieldName(name, field.key)]
  const known = (field.isId && ownValue(idOperators, operator)) || ownValue(operators, operator)
  const operands = [toStoredId(field, value)]
    .flat()
    .filter((one) => typeof one !== 'object' || one === null)
  const condition = { path, operator: known ?? operators.eq, operands }
  if (!operands.includes(null) || !/^(?:eq|ne|n?in)$/.test(operator)) return condition
  const isMissing = { path, operator: operators.exists, operands: [false] }
  const isNull = { or: [{ ...condition, operator: operators.eq }, isMissing] }
  return operator.startsWith('n') ? { not: isNull } : isNull
}

/** Reads `CREATED_AT_DESC`, `-createdAt`, `{ field: CREATED_AT, direction: DESC }` and `{ createdAt: desc }`. */
function toSorts(
  entity: Entity,
  order: Json | undefined,
  direction: string,
  records: Records,
): SortKey[] {
  if (Array.isArray(order)) return order.flatMap((one) => toSorts(entity, one, direction, records))
  if (isRecord(order)) {
    const { field, direction: way = 'asc', ...others } = order
    const pairs = field === undefined ? Object.entries(others) : [[field, way] as const]
    return pairs.flatMap(([name, one]) => toSorts(entity, name, scalarText(one), records))
  }
  const text = typeof order === 'string' ? order : ''
  const [, minus, name = '', end = direction] = /^(-?)(.*?)(?:_(asc|desc))?$/i.exec(text) ?? []
  const field = fieldOf(entity, name)
  if (!field) return []
  const path = [records.fieldName(entity.name, field.key)]
  return [{ path, descending: minus === '-' || /^desc/i.test(end) }]
}

/** Reads the page that arguments ask for: by `first` and `after`, `limit` and `offset`, or `page` and `perPage`. */
export function toRange(length: number, args: Arguments, firstPage: number): [number, number] {
  const number = (pattern: RegExp): number | undefined => {
    const value = named(args, pattern)
    return typeof value === 'number' ? value : undefined
  }
  const cursor = (value: Json | undefined): number | undefined => {
    const at = typeof value === 'string' ? fromBase64(value)?.replace('cursor:', '') : undefined
    return at === undefined ? undefined : Number(at)
  }
  const page = number(/^page$/i)
  const size =
    number(/^(?:first|limit|take|(?:per|page)_?(?:page|size))$/i) ??
    (page !== undefined ? 25 : length)
  const offset = page === undefined ? number(/^(?:offset|skip|start)$/i) : (page - firstPage) * size
  const start = (cursor(args['after']) ?? -1) + 1 || (offset ?? 0)
  if (start < 0) {
    throw new MockError(`Failed to read "page": pages count from ${firstPage}.`, {
      status: 400,
      code: 'QUERY_INVALID',
    })
  }
  const end = Math.min(cursor(args['before']) ?? length, start + size)
  return [Math.max(start, end - (number(/^last$/) ?? length)), end]
}

/** Returns the fields that arguments set, as a request of REST would send them. */
export function toInput(entity: Entity, given: Arguments, records: Records): JsonRecord {
  const record: JsonRecord = {}
  for (const [name, value] of Object.entries(given)) {
    const field = fieldNamed(entity, name)
    if (!field || field.isReadOnly) continue
    // The objects that the package makes of literals have no prototype.
    const plain = toStoredId(field, clone(value))
    define(record, records.fieldName(entity.name, field.key), plain)
  }
  return record
}
