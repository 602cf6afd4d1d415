import { define, isRecord, type Json, ownValue } from '../../json/json.ts'
import { propertiesOf, requiredOf } from '../../shape/declared/apply-schema.ts'
import type { JsonSchema, SchemaObject } from '../../types/json-schema.ts'
import { mapSubschemas } from '../../json/subschemas.ts'
import type { Shape } from '../../shape/shapes.ts'

// Functions that read and change the properties of a schema. A change returns a copy of the schema.

/** Converts each property of a schema; `convert` returns undefined to leave out a property. */
export function mapProperties(
  schema: SchemaObject,
  convert: (property: JsonSchema, name: string) => JsonSchema | undefined,
): SchemaObject {
  const properties: Record<string, JsonSchema> = {}
  for (const [name, property] of Object.entries(propertiesOf(schema))) {
    const converted = convert(property, name)
    if (converted !== undefined) define(properties, name, converted)
  }
  return withRequired({ ...schema, properties }, (name) => Object.hasOwn(properties, name))
}

/** Keeps the required properties for which `isRequired` returns true. */
export function withRequired(
  schema: SchemaObject,
  isRequired: (name: string) => boolean,
): SchemaObject {
  const { required: _, ...others } = schema
  const required = requiredOf(schema).filter(isRequired)
  return { ...others, ...(required.length > 0 && { required }) }
}

/** Renames properties. A property that already has one of the new names is left out. */
export function renameProperties(
  schema: SchemaObject,
  names: Readonly<Record<string, string>>,
): SchemaObject {
  const rename = (name: string): string => ownValue(names, name) ?? name
  const properties: Record<string, JsonSchema> = {}
  const newNames = new Set(
    Object.keys(propertiesOf(schema)).flatMap((name) => ownValue(names, name) ?? []),
  )
  for (const [name, property] of Object.entries(propertiesOf(schema))) {
    if (newNames.has(name) && !Object.hasOwn(names, name)) continue
    define(properties, rename(name), property)
  }
  return {
    ...schema,
    properties,
    ...(schema['required'] !== undefined && {
      required: [...new Set(requiredOf(schema).map(rename))],
    }),
  }
}

/** Whether a schema has a keyword with the value true. */
export function isMarked(schema: JsonSchema, keyword: 'readOnly' | 'writeOnly'): boolean {
  return isRecord(schema) && schema[keyword] === true
}

/** Returns the types that a schema allows; undefined if the schema does not name them. */
export function typesOf(schema: JsonSchema): readonly string[] | undefined {
  if (!isRecord(schema)) return undefined
  const { type, anyOf } = schema
  if (type !== undefined) return [type].flat() as string[]
  if (!Array.isArray(anyOf)) return undefined
  const all = anyOf.map((one) => typesOf(one as JsonSchema))
  return all.every((one) => one !== undefined) ? [...new Set(all.flat())] : undefined
}

/** Renames all fields of a shape, for a dialect with other names in bodies. */
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
