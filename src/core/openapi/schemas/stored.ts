import { isRecord, ownValue } from '../../json/json.ts'
import type { StoredFields } from '../../dialects/contract/description.ts'
import { propertiesOf, requiredOf, withProperty } from '../../shape/declared/apply-schema.ts'
import type { Shape } from '../../shape/shapes.ts'
import type { Statistics } from '../../shape/statistics.ts'
import type { JsonSchema, SchemaObject } from '../../types/json-schema.ts'
import { admit } from './admit.ts'
import { isMarked, mapProperties, typesOf, withRequired } from './properties.ts'

/** Extends the schema of the fixtures by what the mock writes: new ids, and ids of parents. */
export function toStored(shape: Shape, schema: SchemaObject, own: OwnWrites): SchemaObject {
  const { idField, filled, statistics } = shape
  let stored = mapProperties(schema, (property, name) => {
    const seen = ownValue<Statistics>(statistics.objects?.fields ?? {}, name)
    return seen ? admitSeen(property, seen) : property
  })
  for (const [name, values] of Object.entries(own.fields)) {
    const property = ownValue(propertiesOf(stored), name)
    if (property === undefined) continue
    stored = withProperty(stored, name, values.reduce(admit, property))
  }
  stored = withRequired(stored, (name) => {
    const property = ownValue(propertiesOf(stored), name) ?? {}
    if (!filled.includes(name)) return !isMarked(property, 'readOnly') || name === idField
    // A default that a function returns can be undefined.
    return (
      isMarked(property, 'readOnly') || (isRecord(property) && property['default'] !== undefined)
    )
  })
  if (idField === undefined) return stored
  const property = ownValue(propertiesOf(stored), idField) ?? {}
  const withId = withProperty(stored, idField, admitNewIds(property, statistics, own.stores))
  const ids = ownValue(statistics.objects?.fields ?? {}, idField)
  const isAlways = statistics.count === 0 || ids?.present === statistics.count
  if (own.stores?.canLackId !== true || isAlways) return withId
  return withRequired(withId, (name) => name !== idField)
}

/** The values that the mock itself writes into the records of a collection. */
export interface OwnWrites {
  /** The fields that the dialect sets; undefined for the ids that the store draws. */
  stores: StoredFields | undefined
  /** The schemas of further values that fields get, by field: ids of parents, values of actions. */
  fields: Readonly<Record<string, readonly SchemaObject[]>>
}

/** Returns the schema of the ids that clients may send. */
export function toInputId(property: JsonSchema): JsonSchema {
  const types = typesOf(property)
  if (types?.length !== 1 || types[0] !== 'integer' || !isRecord(property)) return property
  return { ...property, maximum: Number.MAX_SAFE_INTEGER }
}

/** New ids are integers after integers, UUIDs after UUIDs, otherwise random texts. */
function admitNewIds(
  property: JsonSchema,
  statistics: Statistics,
  stores: StoredFields | undefined,
): JsonSchema {
  if (!isRecord(property)) return { type: ['string', 'integer'] }
  const types = typesOf(property)
  if (types === undefined || statistics.count === 0) return { type: ['string', 'integer'] }
  const isInteger = types.length === 1 && types[0] === 'integer'
  const isUuid = types.length === 1 && property['format'] === 'uuid'
  if (stores?.ids === 'text') return { type: 'string' }
  if (isInteger || (isUuid && stores === undefined)) return property
  const isNumber = types.every((one) => one === 'integer' || one === 'number')
  if (isNumber && stores?.ids === 'number or text') return { type: 'number' }
  // json-server starts again at 1 when the collection is empty.
  const drawn = stores === undefined ? ['string'] : ['string', 'integer']
  const all = [...new Set([...types, ...drawn])]
  return { type: all.length === 1 ? all[0] : all }
}

function admitSeen(
  schema: JsonSchema,
  { nulls, strings, numbers, booleans }: Statistics,
): JsonSchema {
  if (!isRecord(schema) || typesOf(schema) === undefined) return schema
  let admitted: JsonSchema = schema
  const values = schema['enum']
  if (Array.isArray(values) && strings && !strings.values.isSample) {
    const others = strings.values.frequencies.map(([value]) => value)
    admitted = { ...schema, enum: [...new Set([...(values as unknown[]), ...others])] }
  }
  const format = schema['format']
  if (typeof format === 'string' && strings && strings.format !== format) {
    admitted = Object.fromEntries(Object.entries(schema).filter(([name]) => name !== 'format'))
  }
  if (strings) admitted = admitType(admitted, 'string')
  if (numbers)
    admitted = admitType(admitted, numbers.integers === numbers.count ? 'integer' : 'number')
  if (booleans) admitted = admitType(admitted, 'boolean')
  return nulls > 0 ? admitType(admitted, 'null') : admitted
}

function admitType(schema: JsonSchema, type: string): JsonSchema {
  const has = typesOf(schema) ?? []
  return has.includes(type) || (type === 'integer' && has.includes('number'))
    ? schema
    : admit(schema, { type })
}

/** Whether a schema describes records with named fields. */
export function isOfFields(schema: SchemaObject): boolean {
  return schema['properties'] !== undefined || requiredOf(schema).length > 0
}
