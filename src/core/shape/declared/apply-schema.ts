import { define, isRecord, ownValue } from '../../json/json.ts'
import type { JsonSchema, SchemaObject } from '../../types/json-schema.ts'
import { inPlaceSubschemas } from '../../json/in-place-subschemas.ts'
import { resolveLocal } from '../../json/local-reference.ts'

/** Overrides inferred fields by declared ones; others stay if additional fields are allowed, `kept` (the id) always. */
export function applySchema(
  inferred: SchemaObject,
  declared: SchemaObject,
  kept?: string,
): SchemaObject {
  const named = fieldsNamedIn(declared)
  if (!named) return declared
  const { properties: _, required: _required, ...others } = withoutGuess(inferred, declared)
  const { properties: _own, required: _ownRequired, ...keywords } = declared
  const given = propertiesOf(declared)
  const isOpen =
    keywords['additionalProperties'] !== false && keywords['unevaluatedProperties'] !== false
  const properties: Record<string, JsonSchema> = {}
  for (const [name, schema] of Object.entries(propertiesOf(inferred))) {
    const statement = ownValue(given, name)
    if (statement !== undefined) define(properties, name, applyToField(schema, statement))
    else if (name === kept || (isOpen && !named.has(name))) define(properties, name, schema)
  }
  for (const [name, schema] of Object.entries(given)) {
    if (!Object.hasOwn(properties, name)) define(properties, name, schema)
  }
  const stillRequired = requiredOf(inferred).filter(
    (name) => name === kept || (Object.hasOwn(properties, name) && !named.has(name)),
  )
  const required = new Set([...stillRequired, ...requiredOf(declared)])
  return {
    ...others,
    ...keywords,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.size > 0 && { required: [...required] }),
  }
}

/** The guess that an empty collection allows any fields is left out once fields are declared. */
function withoutGuess(inferred: SchemaObject, declared: SchemaObject): SchemaObject {
  const { additionalProperties, ...rest } = inferred
  const isGuess = additionalProperties === true && Object.keys(propertiesOf(declared)).length > 0
  return isGuess ? rest : inferred
}

/** Overrides the inferred schema of one field with a declared schema. */
export function applyToField(inferred: JsonSchema, declared: JsonSchema): JsonSchema {
  if (declared === true) return inferred
  if (declared === false || !isRecord(inferred)) return declared
  if (!statements.some((keyword) => Object.hasOwn(declared, keyword))) {
    return { ...inferred, ...declared }
  }
  if (isOf('object', declared) && isOf('object', inferred)) return applySchema(inferred, declared)
  const hasItems = ['items', 'prefixItems'].some((keyword) => Object.hasOwn(declared, keyword))
  return isOf('array', declared) && inferred['items'] !== undefined && !hasItems
    ? { ...declared, items: inferred['items'] }
    : declared
}

/** The keywords that describe the values themselves. A schema without them only adds to the inferred schema. */
const statements =
  'type enum const $ref $dynamicRef allOf anyOf oneOf not if properties patternProperties additionalProperties items prefixItems contains'.split(
    ' ',
  )

/** Returns the schemas of the fields that a schema describes, by name. */
export function propertiesOf({ properties }: SchemaObject): Readonly<Record<string, JsonSchema>> {
  return isRecord(properties) ? (properties as Record<string, JsonSchema>) : {}
}

/** Returns a copy of a schema with another schema of a field. */
export function withProperty(
  schema: SchemaObject,
  name: string,
  property: JsonSchema,
): SchemaObject {
  const properties: Record<string, JsonSchema> = { ...propertiesOf(schema) }
  define(properties, name, property)
  return { ...schema, properties }
}

/** Returns the names of the fields that a schema requires. */
export function requiredOf({ required }: SchemaObject): readonly string[] {
  return Array.isArray(required) ? (required as string[]) : []
}

function isOf(name: string, { type, properties }: SchemaObject): boolean {
  const types = [type].flat().filter((one) => one !== 'null')
  return (
    (types.length === 1 && types[0] === name) ||
    (name === 'object' && type === undefined && properties !== undefined)
  )
}

/** Includes the fields in `allOf` and local `$ref`; undefined for a `$ref` to another document. */
function fieldsNamedIn(schema: SchemaObject): ReadonlySet<string> | undefined {
  const names = new Set<string>()
  const visited = new Set<unknown>()
  return visit(schema) ? names : undefined

  function visit(part: unknown): boolean {
    if (!isRecord(part) || visited.has(part)) return true
    visited.add(part)
    const { properties, $ref } = part
    if (isRecord(properties)) for (const name of Object.keys(properties)) names.add(name)
    if (typeof $ref === 'string') {
      const target = resolveLocal($ref, schema)
      if (target === undefined || !visit(target)) return false
    }
    return inPlaceSubschemas(part).every(visit)
  }
}
