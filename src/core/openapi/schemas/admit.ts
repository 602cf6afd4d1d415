import { isRecord } from '../../json/json.ts'
import type { JsonSchema, SchemaObject } from '../../types/json-schema.ts'
import { typesOf } from './properties.ts'

/** Keywords that annotate a schema without restricting its values. */
const annotations = new Set(
  'title description default deprecated readOnly writeOnly examples example'.split(' '),
)

/** Extends a schema so that it also allows the values of another schema. */
export function admit(schema: JsonSchema, other: SchemaObject): JsonSchema {
  if (!isRecord(schema) || isOpen(schema)) return schema
  const types = typesOf(other) ?? []
  const has = typesOf(schema) ?? []
  const covered = types.every(
    (one) => has.includes(one) || (one === 'integer' && has.includes('number')),
  )
  const isSame = JSON.stringify(claimsOf(schema)) === JSON.stringify(claimsOf(other))
  if ((covered && isPlain(schema)) || isSame) return schema
  const kept = Object.entries(schema).filter(([name]) => annotations.has(name))
  const claims = Object.fromEntries(
    Object.entries(schema).filter(([name]) => !annotations.has(name)),
  )
  if (isPlain(schema) && isPlain(other)) {
    return { ...schema, type: [...new Set([...has, ...types])] }
  }
  const { anyOf } = claims
  const own = Array.isArray(anyOf) && Object.keys(claims).length === 1 ? anyOf : [claims]
  return { ...Object.fromEntries(kept), anyOf: [...own, other] }
}

/** Whether a schema claims types alone. */
function isPlain(schema: SchemaObject): boolean {
  const claims = Object.keys(claimsOf(schema))
  return claims.length === 1 && claims[0] === 'type'
}

/** Whether a schema allows every value. */
function isOpen(schema: SchemaObject): boolean {
  return Object.keys(claimsOf(schema)).length === 0
}

function claimsOf(schema: SchemaObject): SchemaObject {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => !annotations.has(name)))
}
