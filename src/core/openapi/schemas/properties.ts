import { define, isRecord, ownValue } from '../../json/json.ts'
import { propertiesOf, requiredOf } from '../../shape/declared/apply-schema.ts'
import type { JsonSchema, SchemaObject } from '../../types/json-schema.ts'

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

/** Sets a property. */
export function withProperty(
  schema: SchemaObject,
  name: string,
  property: JsonSchema,
): SchemaObject {
  const properties: Record<string, JsonSchema> = { ...propertiesOf(schema) }
  define(properties, name, property)
  return { ...schema, properties }
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
