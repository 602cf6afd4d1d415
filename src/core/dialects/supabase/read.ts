import { compareValues } from '../../json/compare.ts'
import { define, type Json, type JsonRecord, ownValue } from '../../json/json.ts'
import { operators } from '../../query/operators.ts'
import { sortBy } from '../../query/sort.ts'
import type { Slice, Where } from '../../query/tree.ts'
import { addToMultimap } from '../../structures/add-to-multimap.ts'
import { refuse } from './errors.ts'
import { readField, toWhere, typeOfField } from './filters.ts'
import { type Field, findEmbed, notEmbedded, type Selection } from './parse.ts'
import {
  findRelationship,
  findTable,
  isToOne,
  type Relationship,
  type Table,
  type Tables,
} from './table.ts'
import { readText, textOf, typeNamed } from './types.ts'

/** Finds the rows that a selection names, in its order. @throws MockError for unknown columns and wrong values */
export function findRows(
  data: Tables,
  selection: Selection,
  more: readonly Where[] = [],
  slice?: Slice,
): { records: readonly JsonRecord[]; total: number } {
  const table = findTable(data, selection.name)
  const hasEmbedded = (embed: Selection): Where => toExistence(data, table, embed)
  const scope = { table, selection, hasEmbedded }
  const inner = selection.embeds.filter(({ isInner }) => isInner).map(hasEmbedded)
  const and = [...selection.filters.map((one) => toWhere(one, scope)), ...inner, ...more]
  const where = { and }
  const { order = [] } = selection
  const isIndexed = order.every(({ relation, field, nullsFirst }) => {
    if (relation !== undefined) return false
    typeOfField(table, field)
    return field.steps.length === 0 && !(nullsFirst && hasNulls(data, table.name, field))
  })
  if (isIndexed) {
    const sort = order.map(({ field, isDescending }) => ({
      path: [field.column],
      descending: isDescending,
    }))
    return data.run(table.name, { where, sort, ...(slice && { slice }) })
  }
  const { records, total } = data.run(table.name, { where })
  const keys = order.flatMap(({ relation, field, isDescending: descending, nullsFirst }) => {
    const related =
      relation === undefined ? undefined : toRelated(data, selection, relation, records)
    const read = (row: JsonRecord): Json => readField(related ? (related(row) ?? {}) : row, field)
    const isNull = (row: JsonRecord): number => Number(read(row) !== null)
    return [...(nullsFirst ? [{ read: isNull, descending: false }] : []), { read, descending }]
  })
  const sorted = sortBy(records, keys, (row, { read }) => read(row), compareValues)
  return { records: slice ? sorted.slice(slice.start, slice.end) : sorted, total }
}

function hasNulls(data: Tables, table: string, { column }: Field): boolean {
  const isNull = (row: JsonRecord): boolean => (ownValue(row, column) ?? null) === null
  const operator = { name: 'is null', compile: () => isNull }
  const where = { path: [column], operator, operands: [] }
  return data.run(table, { where, slice: { start: 0, end: 0 } }).total > 0
}

/** Returns the function from a row to the embedded row by which it is sorted. @throws MockError PGRST108, PGRST118 */
function toRelated(
  data: Tables,
  selection: Selection,
  relation: string,
  rows: readonly JsonRecord[],
): (row: JsonRecord) => JsonRecord | undefined {
  const { name } = selection
  const embed = findEmbed(selection, relation)
  if (!embed) throw notEmbedded(relation)
  const link = findRelationship(data, name, embed)
  if (!isToOne(link)) {
    const details = `'${name}' and '${relation}' do not form a many-to-one or one-to-one relationship`
    throw refuse(400, 'PGRST118', `A related order on '${relation}' is not possible`, details)
  }
  const follow = relate(data, link, embed, rows)
  return (row) => follow(row)[0]
}

/** Creates the condition that a row has a row of an embed. */
function toExistence(data: Tables, table: Table, embed: Selection): Where {
  const { to, near, far, junction } = findRelationship(data, table.name, embed)
  const rows = findRows(data, { ...embed, name: to, order: [] }).records
  const keys = valuesOf(rows, far)
  if (!junction) return isAmong(near, keys)
  const between = data.run(junction.table, { where: isAmong(junction.far, keys) }).records
  return isAmong(near, valuesOf(between, junction.near))
}

/** The distinct values of a column other than null, as text. */
function valuesOf(rows: readonly JsonRecord[], column: string): Set<string> {
  return new Set(rows.flatMap((row) => keyOf(row, column) ?? []))
}

function keyOf(row: JsonRecord, column: string): string | undefined {
  const value = row[column] ?? null
  return value === null ? undefined : textOf(value)
}

/** So many values are looked up in an index; more are faster found by a scan. */
const maxKeys = 1000

function isAmong(column: string, keys: ReadonlySet<string>): Where {
  if (keys.size <= maxKeys) return { path: [column], operator: operators.in, operands: [...keys] }
  const compile = () => (row: JsonRecord) => keys.has(keyOf(row, column) ?? '')
  return { path: [column], operator: { name: 'among', readsOthers: true, compile }, operands: [] }
}

/** Finds the rows of an embed for many rows at once. Returns the function from a row to its embedded rows. */
function relate(
  data: Tables,
  { to, near, far, junction }: Relationship,
  embed: Selection,
  rows: readonly JsonRecord[],
): (row: JsonRecord) => readonly JsonRecord[] {
  const keys = valuesOf(rows, near)
  const owners = new Map<string, string[]>()
  if (junction) {
    for (const row of data.run(junction.table, { where: isAmong(junction.near, keys) }).records) {
      const [key, owner] = [keyOf(row, junction.far), keyOf(row, junction.near)]
      if (key !== undefined && owner !== undefined) addToMultimap(owners, key, owner)
    }
  }
  const among = isAmong(far, junction ? new Set(owners.keys()) : keys)
  const lists = new Map<string, JsonRecord[]>()
  for (const row of findRows(data, { ...embed, name: to }, [among]).records) {
    const key = keyOf(row, far) ?? ''
    for (const owner of junction ? (owners.get(key) ?? []) : [key]) addToMultimap(lists, owner, row)
  }
  const { offset = 0, limit = Infinity } = embed
  return (row) => lists.get(keyOf(row, near) ?? '')?.slice(offset, offset + limit) ?? []
}

/** How rows become the objects of a response: the names of their members, and the function that makes one. */
export interface Projection {
  names: readonly string[]
  toObject(row: JsonRecord): JsonRecord
}

/** Relationships can go to and fro, so the objects of a response are limited. */
const maxObjects = 1_000_000

/** Selects the columns of rows, and embeds related rows. @throws MockError for unknown columns, relationships and types */
export function project(
  data: Tables,
  selection: Selection,
  rows: readonly JsonRecord[],
  budget: { left: number } = { left: maxObjects },
): Projection {
  const table = findTable(data, selection.name)
  const names: string[] = []
  const parts: ((row: JsonRecord, object: JsonRecord) => void)[] = []
  const add = (name: string, read: (row: JsonRecord) => Json): void => {
    names.push(name)
    parts.push((row, object) => define(object, name, read(row)))
  }
  for (const { field, alias, cast } of selection.columns) {
    if (field.column === '*') {
      // The first row of an empty table brings the columns.
      const isNew = table.columns.length === 0
      const all = isNew ? new Set(rows.flatMap(Object.keys)) : table.columns
      for (const column of all) add(column, (row) => ownValue(row, column) ?? null)
      continue
    }
    typeOfField(table, field)
    const type = cast === undefined ? undefined : typeNamed(cast)
    const key = field.steps.findLast(({ isIndex }) => !isIndex)?.key
    add(alias ?? key ?? field.column, (row) => {
      const value = readField(row, field)
      return type && value !== null ? readText(textOf(value), type) : value
    })
  }
  for (const embed of selection.embeds) {
    const link = findRelationship(data, table.name, embed)
    const follow = relate(data, link, embed, rows)
    const related = [...new Set(rows.flatMap(follow))]
    const inner = project(data, { ...embed, name: link.to }, related, budget)
    const objectsOf = (row: JsonRecord): JsonRecord[] => follow(row).map(inner.toObject)
    const isOne = isToOne(link)
    if (embed.isSpread) {
      names.push(...inner.names)
      parts.push((row, object) => {
        const objects = objectsOf(row)
        for (const name of inner.names) {
          const values = objects.map((one) => one[name] ?? null)
          define(object, name, isOne ? (values[0] ?? null) : values)
        }
      })
    } else if (!isEmpty(embed)) {
      add(embed.alias ?? embed.name, isOne ? (row) => objectsOf(row)[0] ?? null : objectsOf)
    }
  }
  return {
    names,
    toObject(row) {
      if (--budget.left < 0) {
        const message = `more than ${maxObjects} rows would be in the response`
        throw refuse(400, '54000', message, null, 'Please select a page, or fewer relationships.')
      }
      const object: JsonRecord = {}
      for (const part of parts) part(row, object)
      return object
    },
  }
}

/** Whether an embed selects nothing, as it is there for filters alone. */
function isEmpty({ columns, embeds }: Selection): boolean {
  return columns.length === 0 && embeds.every(isEmpty)
}
