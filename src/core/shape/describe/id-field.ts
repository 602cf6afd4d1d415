import { ownValue } from '../../json/json.ts'
import type { SchemaObject } from '../../types/json-schema.ts'
import { propertiesOf, requiredOf } from '../declared/apply-schema.ts'

/**
 * Adds the id field to the schema of the records of a collection as a required field, because every stored
 * record has an id. In a collection whose records have no id, ids are integers; an empty collection can get ids
 * of any kind, and any fields.
 */
export function withIdField(schema: SchemaObject, idField: string): SchemaObject {
  if (schema['additionalProperties'] !== undefined) return schema
  const isEmpty = schema['type'] === undefined
  const properties = propertiesOf(schema)
  const required = requiredOf(schema)
  const given = ownValue(properties, idField) as SchemaObject | undefined
  const own = { ...given, type: isEmpty ? ['string', 'integer'] : withoutNull(given?.['type']) }
  return {
    ...schema,
    type: 'object',
    // The fields of records that are still to come are unknown.
    ...(isEmpty && { additionalProperties: true }),
    properties: given ? { ...properties, [idField]: own } : { [idField]: own, ...properties },
    required: required.includes(idField) ? required : [idField, ...required],
  }
}

/** The type of ids without null: the mock gives an id to a record whose id is null. */
function withoutNull(type: unknown = 'integer'): unknown {
  if (!Array.isArray(type)) return type
  const others = (type as unknown[]).filter((name) => name !== 'null')
  return others.length === 1 ? others[0] : others
}
