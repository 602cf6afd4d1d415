import { MockError } from '../../errors/mock-error.ts'
import { isNumeric as isNumber } from '../../json/equality.ts'
import { define, isRecord, type Json, type JsonRecord, ownValue } from '../../json/json.ts'
import { scalarText } from '../../json/scalar-text.ts'
import { operators } from '../../query/operators.ts'
import { toPredicate } from '../../query/select.ts'
import { parseArray } from '../../text/array-literal.ts'
import { type Arguments, toInput } from './arguments.ts'
import type { Field } from './entities.ts'
import {
  invalid,
  isJson,
  isNumeric,
  type Link,
  type Table,
  toFilter,
  valueOf,
} from './hasura-rows.ts'
import type { Records, Step } from './records.ts'

/**
 * Plans an insert with the rows nested in it: those that a row references, then the row, then those that reference the
 * row. `roots` are the indexes of the steps of the objects themselves.
 */
export function planInsert(
  root: Table,
  objects: Json | undefined,
  conflict: Json | undefined,
  records: Records,
): { steps: Step[]; roots: number[] } {
  const data = records.data()
  const steps: Step[] = []
  /** The row of each step, and the indexes of rows by the values that are unique. */
  const rows: { table: Table; row: JsonRecord }[] = []
  const planned = new Map<string, number>()
  const drawn = new Map<string, number>()
  const idOf = (at: number): Json =>
    rows[at] ? (ownValue(rows[at].row, idName(rows[at].table, records)) ?? null) : null

  function push(
    table: Table,
    row: JsonRecord,
    step: Omit<Step, 'name'>,
    name = table.name,
  ): number {
    rows.push({ table, row })
    return steps.push({ name, ...step }) - 1
  }

  /** Draws the id of a new row; numbers continue, as the store does not have the rows before yet. */
  function drawId(name: string, isTaken: (id: string) => boolean): string | number {
    const next = (drawn.get(name) ?? NaN) + 1
    const isFree = !Number.isNaN(next) && !isTaken(String(next))
    const id = isFree ? next : data.newId(name, isTaken)
    if (typeof id === 'number') drawn.set(name, id)
    return id
  }

  function addAll({ table }: Link, value: JsonRecord, own: JsonRecord, needsId = false): number[] {
    const given = [value['data'] ?? []].flat().filter(isRecord)
    return given.flatMap((one) => add(table, one, value['on_conflict'], own, needsId) ?? [])
  }

  /** Returns the index of the step; undefined for a row that `on_conflict` ignores. */
  function add(
    table: Table,
    given: JsonRecord,
    onConflict: Json | undefined,
    own: JsonRecord = {},
    needsId = false,
  ): number | undefined {
    const row = { ...toRow(table, given, records), ...own }
    const nested = table.links.flatMap((link) => {
      const value = ownValue(given, link.field)
      const found = isRecord(value) && data.relation(table.name, link.relation.name)
      return isRecord(value) && found ? [{ link, value, found }] : []
    })
    const children = nested.filter(({ found }) => !found.keys)
    for (const { link, value, found } of nested) {
      if (!found.keys) continue
      const ids = addAll(link, value, {}, true).map(idOf)
      if (ids.length === 0 && !found.isMany) throw ineffective('object', link.table)
      define(row, spelling(table, found.keys, records), found.isMany ? ids : (ids[0] ?? null))
    }
    const at = store(table, row, onConflict, needsId || children.length > 0)
    if (at === undefined && children.length > 0) throw ineffective('array', table)
    if (at === undefined) return undefined
    for (const { link, value, found } of children) {
      const { foreignKey, join } = found
      const id = idOf(at)
      const isHeld = foreignKey && !join
      const key = isHeld ? spelling(link.table, foreignKey.keys, records) : ''
      const held = isHeld ? { [key]: foreignKey.isList ? [id] : id } : {}
      const added = addAll(link, value, held, join !== undefined)
      for (const far of join ? added.map(idOf) : []) {
        const both = { [join?.near ?? '']: id, [join?.far ?? '']: far }
        push(table, {}, { records: both }, join?.relation.collection)
      }
    }
    return at
  }

  function store(
    table: Table,
    row: JsonRecord,
    onConflict: Json | undefined,
    needsId: boolean,
  ): number | undefined {
    const { name, type, idField, fields } = table
    const given = isRecord(onConflict) ? onConflict : undefined
    const { constraint = `${type}_pkey`, update_columns: updated = [], where: when } = given ?? {}
    const field = fields.find((one) => {
      return constraint === (one.key === idField ? `${type}_pkey` : `${type}_${one.name}_key`)
    })
    const idKey = idName(table, records)
    const key = field ? records.fieldName(name, field.key) : idKey
    const wanted = ownValue(row, key) ?? null
    const place = (column: string, value: Json): string =>
      JSON.stringify([name, column, scalarText(value)])
    const at = planned.get(place(key, wanted)) ?? -1
    const operands = [wanted].filter((one) => typeof one !== 'object')
    const where = { path: [key], operator: operators.eq, operands }
    const isEqual = (one: JsonRecord): boolean =>
      scalarText(ownValue(one, key)) === scalarText(wanted)
    const find = () => rows[at]?.row ?? records.list(name, { where }).records.find(isEqual)
    const existing = wanted === null ? undefined : find()
    if (existing && !given) {
      const text = `duplicate key value violates unique constraint "${type}_pkey"`
      throw new MockError(`Uniqueness violation. ${text}`, { status: 409, code: 'ID_TAKEN' })
    }
    if (!existing) {
      const isDrawn = needsId && (ownValue(row, idKey) ?? null) === null
      if (isDrawn)
        define(
          row,
          idKey,
          drawId(name, (id) => planned.has(place(idKey, id))),
        )
      const added = push(table, row, { records: row, ...(isDrawn && { own: [idField] }) })
      for (const column of [idKey, key]) {
        const value = ownValue(row, column) ?? null
        if (value !== null) planned.set(place(column, value), added)
      }
      return added
    }
    const changed = fields.filter((one) => [updated].flat().includes(one.name))
    const matches = toPredicate({ where: toFilter(table, when, records) })
    if (changed.length === 0 || !matches(existing)) return undefined
    const set: JsonRecord = {}
    for (const one of changed) {
      define(set, records.fieldName(name, one.key), valueOf(table, one, row, records))
    }
    Object.assign(rows[at]?.row ?? {}, set)
    if (at >= 0) return at
    const change = (previous: JsonRecord): JsonRecord => ({ ...previous, ...set })
    return push(table, { ...existing, ...set }, { ...stepOf(table, existing, records), change })
  }

  const given = [objects ?? []].flat().filter(isRecord)
  return { steps, roots: given.flatMap((one) => add(root, one, conflict) ?? []) }
}

const idName = ({ name, idField }: Table, records: Records): string =>
  records.fieldName(name, idField)

/** Returns the columns of an object with the names and values of records; lists may be literals of PostgreSQL. */
function toRow(table: Table, given: Json | undefined, records: Records): JsonRecord {
  const entries = Object.entries(isRecord(given) ? given : {})
  const columns = entries.filter(([name]) => !table.links.some(({ field }) => field === name))
  const lists = table.columns.filter(({ isList }) => isList).map(({ name }) => name)
  const values = columns.map(([name, value]): [string, Json] => {
    const isLiteral = typeof value === 'string' && lists.includes(name)
    return [name, isLiteral ? (parseArray(value) ?? value) : value]
  })
  return toInput({ ...table, fields: table.columns }, Object.fromEntries(values), records)
}

/** The spelling of a key that the records of a table have. */
function spelling(table: Table, keys: readonly string[], records: Records): string {
  const names = table.columns.map(({ key }) => records.fieldName(table.name, key))
  return keys.find((one) => names.includes(one)) ?? keys[0] ?? ''
}

function ineffective(kind: string, { type }: Table): MockError {
  const reason = `since insert to table "${type}" affects zero rows`
  return invalid(`cannot proceed to insert ${kind} relation ${reason}`)
}

/** Plans the update of rows by `_set`, `_inc` and the operators of JSON. @throws MockError 400 without any */
export function planUpdate(
  table: Table,
  rows: readonly JsonRecord[],
  args: Arguments,
  records: Records,
): Step[] {
  const set = toRow(table, args['_set'], records)
  const others = table.columns.flatMap((field) =>
    Object.entries(updates).flatMap(([name, { apply }]) => {
      const given = ownValue(args, name)
      const operand = isRecord(given) ? ownValue(given, field.name) : undefined
      return operand === undefined ? [] : [{ field, apply, operand }]
    }),
  )
  if (Object.keys(set).length === 0 && others.length === 0) {
    throw invalid('at least any one of _set, _inc, _append and other operators is expected')
  }
  const change = (previous: JsonRecord): JsonRecord => {
    const changed = { ...previous, ...set }
    for (const { field, apply, operand } of others) {
      const value = valueOf(table, field, previous, records)
      if (value === null) continue
      define(changed, records.fieldName(table.name, field.key), apply(value, operand))
    }
    return changed
  }
  return rows.map((row) => ({ ...stepOf(table, row, records), change }))
}

/** Returns the step that removes a row. */
export function stepOf(table: Table, row: JsonRecord, records: Records): Step {
  return { name: table.name, id: scalarText(ownValue(row, idName(table, records))) }
}

interface Update {
  isFor(field: Field): boolean
  /** The type of the operand. @default that of the column */
  operand?: string
  apply(value: Json, operand: Json): Json
}

/** The operators of an update besides `_set`. */
export const updates: Readonly<Record<string, Update>> = {
  _inc: { isFor: isNumeric, apply: (value, by) => Number(value) + Number(by) },
  _append: { isFor: isJson, apply: concatenate },
  _prepend: { isFor: isJson, apply: (value, other) => concatenate(other, value) },
  _delete_key: { isFor: isJson, operand: 'String', apply: (value, key) => without(value, [key]) },
  _delete_elem: { isFor: isJson, operand: 'Int', apply: (value, at) => without(value, [at]) },
  _delete_at_path: {
    isFor: isJson,
    operand: '[String!]',
    apply: (value, path) => without(value, [path].flat()),
  },
}

/** Joins JSON as `||` of PostgreSQL does: the members of objects, else the elements of lists. */
function concatenate(one: Json, other: Json): Json {
  return isRecord(one) && isRecord(other) ? { ...one, ...other } : [one, other].flat()
}

/** Returns JSON without the member or element at a path; a text also names elements that equal it. */
function without(value: Json, [key = null, ...rest]: readonly Json[]): Json {
  if (Array.isArray(value)) {
    if (typeof key === 'string' && !isNumber(key)) return value.filter((one) => one !== key)
    const at = Number(key) < 0 ? value.length + Number(key) : Number(key)
    const inner = value[at]
    if (inner === undefined) return value
    return rest.length > 0 ? value.with(at, without(inner, rest)) : value.toSpliced(at, 1)
  }
  const name = scalarText(key)
  const { [name]: inner, ...others } = isRecord(value) ? value : {}
  if (!isRecord(value) || inner === undefined) return value
  return rest.length > 0 ? { ...value, [name]: without(inner, rest) } : others
}
