import { nearest } from '../../errors/nearest.ts'
import { isRecord, isSame, type Json, ownValue } from '../../json/json.ts'
import { resolveLocal } from '../../json/local-reference.ts'
import type { JsonSchema, SchemaObject } from '../../types/json-schema.ts'
import { randomUuid } from '../../time/random.ts'
import type { FieldDescription, RecordDescription } from '../../types/record-description.ts'
import type { Data } from '../contract/dialect.ts'
import { refuse } from './errors.ts'
import { type ColumnType, typeOf } from './types.ts'

/** A collection or a singleton as a table: what schemas declare, else what its records have. */
export interface Table {
  name: string
  /** The field by which the store finds a row, which need not be a column. */
  idField: string
  columns: readonly string[]
  /** The primary key; empty for a table without one. */
  key: readonly string[]
  /** The groups of columns whose values no two rows share, with the primary key. */
  unique: readonly (readonly string[])[]
  has(column: string): boolean
  typeOf(column: string): ColumnType
  defaultOf(column: string): Json | undefined
  /** Whether a row has to have a value other than null; `isGiven` if a request gives null. */
  isRequired(column: string, isGiven: boolean): boolean
}

/** The data that tables are made of. */
export type Tables = Pick<
  Data,
  | 'names'
  | 'kindOf'
  | 'idField'
  | 'fields'
  | 'sample'
  | 'described'
  | 'foreignKeys'
  | 'run'
  | 'relations'
  | 'now'
  | 'random'
>

/** Finds a table. @throws MockError PGRST205 */
export function findTable(data: Tables, name: string): Table {
  const names = tableNames(data)
  if (names.includes(name)) return toTable(data, name)
  const near = nearest(name, names)
  const hint = near === undefined ? null : `Perhaps you meant the table 'public.${near}'`
  const message = `Could not find the table 'public.${name}' in the schema cache`
  throw refuse(404, 'PGRST205', message, null, hint)
}

/** The names of the tables. Those in folders, such as `auth/users`, are of other schemas, which clients do not see. */
export function tableNames(data: Tables): string[] {
  return data.names().filter((name) => data.kindOf(name) !== 'document' && !name.includes('/'))
}

/** The tables of each request. */
const known = new WeakMap<Tables, Map<string, Table>>()

function toTable(data: Tables, name: string): Table {
  const tables = known.get(data) ?? new Map<string, Table>()
  known.set(data, tables)
  const table = tables.get(name) ?? createTable(data, name)
  tables.set(name, table)
  return table
}

function createTable(data: Tables, name: string): Table {
  const described = data.described(name)
  const schemas = schemasOf(described)
  const properties: Record<string, JsonSchema> = Object.assign(
    {},
    ...schemas.map((one) => one['properties']),
  )
  const fields: Record<string, FieldDescription> = Object.assign(
    {},
    ...described.map((one) => one.fields),
  )
  const isClosed = schemas.some((one) => one['additionalProperties'] === false)
  const isShown = (one: string): boolean => ownValue(fields, one)?.schema?.['writeOnly'] !== true
  const seen = isClosed ? [] : data.fields(name)
  const columns = [...new Set([...Object.keys(properties), ...seen])].filter(isShown)
  const declaresKeys = schemas.some((one) => one['x-foreign-keys'] !== undefined)
  const required = new Set(schemas.flatMap((one) => (one['required'] ?? []) as string[]))
  const idField = data.idField(name)
  const groups = described.flatMap(({ unique = [] }) => unique)
  const hasId = columns.length === 0 || columns.includes(idField)
  // The records of a join collection have no id, but the keys of both sides.
  const joined = (): string[] => {
    const keys = foreignKeysOf(data).filter((one) => one.child === name)
    return keys.length > 1 ? [...new Set(keys.map((one) => one.key))] : []
  }
  const own = groups.find((group) => group.every((column) => required.has(column)))
  const key = hasId ? [idField] : (own ?? joined())
  const types = new Map<string, ColumnType>()
  const schemaOf = (column: string): JsonSchema | undefined => {
    const added = ownValue(fields, column)?.schema
    const own = ownValue(properties, column)
    return added && own !== false ? { ...Object(own), ...added } : own
  }
  const typeOfColumn = (column: string): ColumnType => {
    const found = types.get(column)
    if (found) return found
    const schema = schemaOf(column)
    const type = typeOf(schema, schema === undefined ? data.sample(name, column) : undefined)
    types.set(column, type)
    return type
  }
  return {
    name,
    idField,
    columns,
    key,
    unique: [...(key.length > 0 ? [key] : []), ...groups.filter((one) => !isSame(one, key))],
    // A table without rows and schema has any column.
    has: (column) => columns.includes(column) || columns.length === 0,
    typeOf: typeOfColumn,
    defaultOf(column) {
      const schema = schemaOf(column)
      const value = isRecord(schema) ? schema['default'] : undefined
      if (value === 'now()') return new Date(data.now()).toISOString()
      return value === 'gen_random_uuid()' ? randomUuid(() => data.random()) : value
    },
    isRequired(column, isGiven) {
      const type = Object(schemaOf(column))['type'] ?? 'null'
      if (isGiven && declaresKeys && ![type].flat().includes('null')) return true
      const { isRequired = required.has(column), isFilled = false } = ownValue(fields, column) ?? {}
      // The store draws a number or a UUID for a key.
      const isDrawn = column === idField && typeOfColumn(column).kind !== 'text'
      return isRequired && !isFilled && !isDrawn
    },
  }
}

/** A relationship from a table to another or to itself. */
export interface Relationship {
  cardinality: 'many-to-one' | 'one-to-many' | 'one-to-one' | 'many-to-many'
  to: string
  /** The column whose value the column `far` of `to`, or `junction.near`, has. */
  near: string
  far: string
  constraint: string
  /** The table between, whose column `far` references `to`. */
  junction?: { table: string; near: string; far: string; constraint: string; isKey: boolean }
}

/** A foreign key of one column, whose value the column `far` of the parent has. */
interface TableKey {
  child: string
  key: string
  parent: string
  far: string
  constraint: string
  /** Whether a row is refused without its parent. */
  isChecked: boolean
  isOneToOne?: boolean
}

const keysByData = new WeakMap<Tables, readonly TableKey[]>()

/** Returns the foreign keys that `x-foreign-keys` of schemas declares, else those of the option `relations` and of names. */
export function foreignKeysOf(data: Tables): readonly TableKey[] {
  const known = keysByData.get(data)
  if (known) return known
  const declared = data.names().flatMap((child) =>
    schemasOf(data.described(child))
      .flatMap((one) => (one['x-foreign-keys'] ?? []) as Omit<TableKey, 'child'>[])
      .map((one) => ({ child, ...one })),
  )
  const others = data.foreignKeys().flatMap(({ child, key, parent, many }): TableKey[] => {
    if (many || declared.some((one) => one.child === child && one.key === key)) return []
    const isChecked = Object.hasOwn(ownValue(data.relations, child) ?? {}, key)
    const constraint = `${child}_${key}_fkey`
    return [{ child, key, parent, far: data.idField(parent), constraint, isChecked }]
  })
  const all = [...declared, ...others]
  keysByData.set(data, all)
  return all
}

function schemasOf(described: readonly RecordDescription[]): SchemaObject[] {
  return described.flatMap(({ schema }): SchemaObject[] => {
    const reference = isRecord(schema) ? schema['$ref'] : undefined
    const whole = typeof reference === 'string' ? resolveLocal(reference, schema) : schema
    return isRecord(whole) ? [whole] : []
  })
}

function relationshipsOf(data: Tables, from: string): Relationship[] {
  const keys = foreignKeysOf(data)
  return keys.flatMap((one): Relationship[] => {
    if (one.child !== from && one.parent !== from) return []
    const child = toTable(data, one.child)
    const isUnique =
      one.isOneToOne ?? child.unique.some((group) => group.length === 1 && group[0] === one.key)
    const { far: id, constraint } = one
    const found: Relationship[] = []
    if (one.child === from) {
      const cardinality = isUnique ? 'one-to-one' : 'many-to-one'
      found.push({ cardinality, to: one.parent, near: one.key, far: id, constraint })
    }
    if (one.parent !== from) return found
    const cardinality = isUnique ? 'one-to-one' : 'one-to-many'
    found.push({ cardinality, to: one.child, near: id, far: one.key, constraint })
    for (const other of keys) {
      // PostgREST has no many-to-many relationship from a table to itself.
      if (other.child !== one.child || other.key === one.key || other.parent === from) continue
      const isKey = [one.key, other.key].every((column) => child.key.includes(column))
      const [near, far] = [one.key, other.key]
      const junction = { table: one.child, near, far, constraint: other.constraint, isKey }
      const target = { to: other.parent, near: id, far: other.far }
      found.push({ cardinality: 'many-to-many', ...target, constraint, junction })
    }
    return found
  })
}

/** Whether a relationship leads to one row at most. */
export function isToOne({ cardinality }: Relationship): boolean {
  return cardinality.endsWith('to-one')
}

/**
 * Finds the relationship that an embed names: by a table, a foreign key or a constraint, with a hint among several.
 * @throws MockError PGRST200 for none, PGRST201 for several
 */
export function findRelationship(
  data: Tables,
  from: string,
  { name, hint }: { name: string; hint?: string | undefined },
): Relationship {
  const all = relationshipsOf(data, from)
  const candidates = all.filter(({ cardinality, to, near, far, constraint, junction }) => {
    const isParent = cardinality === 'many-to-one'
    if (to === from && hint !== undefined) return name === to && !isParent && far === hint
    if (to === from) return isParent ? name === near : name === to
    if (hint === undefined) return name === to || (!junction && [constraint, near].includes(name))
    return name === to && (junction ? [junction.table] : [constraint, near, far]).includes(hint)
  })
  // PostgREST finds a junction by its primary key alone; one with an id of its own serves where nothing else does.
  const strict = candidates.filter(({ junction }) => junction?.isKey !== false)
  const found = strict.length > 0 ? strict : candidates
  const [only, second] = found
  if (only && !second) return only
  const both = `'${from}' and '${name}'`
  if (!only) {
    const using = hint === undefined ? '' : ` using the hint '${hint}'`
    throw refuse(
      400,
      'PGRST200',
      `Could not find a relationship between ${both} in the schema cache`,
      `Searched for a foreign key relationship between ${both}${using} in the schema 'public', but no matches were found.`,
    )
  }
  const details = found.map(({ cardinality, to, near, far, constraint, junction }) => ({
    cardinality,
    relationship: junction
      ? `${junction.table} using ${constraint}(${junction.near}) and ${junction.constraint}(${junction.far})`
      : `${constraint} using ${from}(${near}) and ${to}(${far})`,
    embedding: `${from} with ${to}`,
  }))
  const hints = found.map((one) => `'${one.to}!${one.junction?.table ?? one.constraint}'`)
  throw refuse(
    300,
    'PGRST201',
    `Could not embed because more than one relationship was found for ${both}`,
    details,
    `Try changing '${name}' to one of the following: ${hints.join(', ')}. Find the desired relationship in the 'details' key.`,
  )
}
