import { isRecord, type JsonRecord } from '../../json/json.ts'
import { mapSubschemas } from '../../json/subschemas.ts'
import type { JsonSchema, SchemaObject } from '../../types/json-schema.ts'
import { typesOf } from './properties.ts'

/** Extends a schema by the values of another, such as null, or the ids that the mock generates. */
export function admit(schema: JsonSchema, other: SchemaObject): JsonSchema {
  if (!isRecord(schema)) return schema
  const claims = claimsOf(schema)
  // A schema without claims allows every value.
  if (Object.keys(claims).length === 0) return schema
  const types = typesOf(schema) ?? []
  const otherTypes = typesOf(other) ?? []
  const isCovered = otherTypes.every(
    (type) => types.includes(type) || (type === 'integer' && types.includes('number')),
  )
  const isSame = JSON.stringify(allClaimsOf(schema)) === JSON.stringify(allClaimsOf(other))
  if ((isCovered && isTypeOnly(schema)) || isSame) return schema
  if (isTypeOnly(schema) && isTypeOnly(other)) {
    return { ...schema, type: [...new Set([...types, ...otherTypes])] }
  }
  const { anyOf } = claims
  const own = Array.isArray(anyOf) && Object.keys(claims).length === 1 ? anyOf : [claims]
  const notes = Object.entries(schema).filter(([name]) => annotations.has(name))
  return { ...Object.fromEntries(notes), anyOf: [...own, other] }
}

const annotations = new Set(
  'title description default deprecated readOnly writeOnly examples example x-references x-file'.split(
    ' ',
  ),
)

function isTypeOnly(schema: SchemaObject): boolean {
  return Object.keys(claimsOf(schema)).join() === 'type'
}

function claimsOf(schema: SchemaObject): SchemaObject {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => !annotations.has(name)))
}

function allClaimsOf(schema: unknown): unknown {
  return isRecord(schema) ? mapSubschemas(claimsOf(schema) as JsonRecord, allClaimsOf) : schema
}
