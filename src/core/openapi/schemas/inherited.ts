import { define, isRecord } from '../../json/json.ts'
import { mapSubschemas } from '../../json/subschemas.ts'
import { requiredOf } from '../../shape/declared/apply-schema.ts'
import type { JsonSchema } from '../../types/json-schema.ts'

/**
 * Moves optional properties such as `constructor` to `patternProperties`, at any depth. Validators in
 * JavaScript read `record.constructor`, which is an inherited function if a record lacks the field; a pattern
 * is compared with a record's own fields alone.
 */
export function separateInherited(schema: JsonSchema): JsonSchema {
  return convert(schema) as JsonSchema
}

function convert(schema: unknown): unknown {
  if (!isRecord(schema)) return schema
  const converted = mapSubschemas(schema, convert)
  const { properties } = converted
  if (!isRecord(properties)) return converted
  const required = requiredOf(schema)
  const [own, inherited]: [Record<string, unknown>, Record<string, unknown>] = [{}, {}]
  for (const [name, property] of Object.entries(properties)) {
    const isInherited = name in Object.prototype && !required.includes(name)
    define(isInherited ? inherited : own, isInherited ? `^${name}$` : name, property)
  }
  if (Object.keys(inherited).length === 0) return converted
  const patterns = converted['patternProperties']
  const patternProperties = { ...(isRecord(patterns) ? patterns : {}), ...inherited }
  return { ...converted, properties: own, patternProperties }
}
