import type { SchemaObject } from '../../../../src/core/types/json-schema.ts'

/** The schema of an object; a property is described by a schema or by the name of its type. */
export function objectOf(
  properties: Record<string, string | object>,
  required?: string[],
): SchemaObject {
  const schemas = Object.entries(properties).map(([name, schema]) => [
    name,
    typeof schema === 'string' ? { type: schema } : schema,
  ])
  return { type: 'object', properties: Object.fromEntries(schemas), ...(required && { required }) }
}
