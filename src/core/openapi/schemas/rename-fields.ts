import { define, isRecord, type Json } from '../../json/json.ts'
import { mapSubschemas } from '../../json/subschemas.ts'
import type { Shape } from '../../shape/shapes.ts'
import type { SchemaObject } from '../../types/json-schema.ts'

/**
 * Renames all fields of a shape, at any depth, for a dialect that has other field names in bodies than the
 * fixtures have.
 */
export function renameShape(shape: Shape, rename: (field: string) => string): Shape {
  const { idField, filled, schema } = shape
  return {
    ...shape,
    ...(idField !== undefined && { idField: rename(idField) }),
    filled: filled.map(rename),
    schema: renameSchema(schema, rename) as SchemaObject,
  }
}

/** Renames all keys of a value, at any depth. */
export function renameKeys(value: Json, rename: (field: string) => string): Json {
  if (Array.isArray(value)) return value.map((one) => renameKeys(one, rename))
  if (!isRecord(value)) return value
  const renamed: Record<string, Json> = {}
  for (const [key, inner] of Object.entries(value)) {
    define(renamed, rename(key), renameKeys(inner, rename))
  }
  return renamed
}

/** Renames the properties that a schema names, also in the schemas that it holds. */
function renameSchema(schema: unknown, rename: (field: string) => string): unknown {
  if (!isRecord(schema)) return schema
  const renamed = mapSubschemas(schema, (inner) => renameSchema(inner, rename))
  for (const keyword of ['const', 'default', 'enum', 'examples']) {
    if (Object.hasOwn(schema, keyword))
      renamed[keyword] = renameKeys(schema[keyword] ?? null, rename)
  }
  const { properties, required } = renamed
  if (Array.isArray(required)) renamed['required'] = required.map((name) => rename(String(name)))
  if (isRecord(properties)) {
    const entries = Object.entries(properties).map(([name, property]) => [rename(name), property])
    renamed['properties'] = Object.fromEntries(entries)
  }
  return renamed
}
