import { define, isRecord, type Json } from '../../json/json.ts'
import type { Shape } from '../../shape/shapes.ts'
import type { SchemaObject } from '../../types/json-schema.ts'

/** Renames all fields of a shape, at any depth. */
export function renameShape(shape: Shape, rename: (field: string) => string): Shape {
  const { idField, filled, schema } = shape
  return {
    ...shape,
    ...(idField !== undefined && { idField: rename(idField) }),
    filled: filled.map(rename),
    schema: renameSchema(schema as Json, rename) as SchemaObject,
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
function renameSchema(schema: Json, rename: (field: string) => string): Json {
  if (Array.isArray(schema)) return schema.map((one) => renameSchema(one, rename))
  if (!isRecord(schema)) return schema
  const renamed: Record<string, Json> = {}
  for (const [keyword, value] of Object.entries(schema)) {
    const isValue = ['const', 'default', 'enum', 'examples'].includes(keyword)
    const inner = isValue ? renameKeys(value, rename) : renameSchema(value, rename)
    if (keyword === 'properties' && isRecord(inner)) {
      const entries = Object.entries(inner).map(([name, one]) => [rename(name), one] as const)
      define(renamed, keyword, Object.fromEntries(entries))
    } else if (keyword === 'required' && Array.isArray(value)) {
      define(
        renamed,
        keyword,
        value.map((name) => (typeof name === 'string' ? rename(name) : name)),
      )
    } else define(renamed, keyword, inner)
  }
  return renamed
}
