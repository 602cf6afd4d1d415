import { define, isRecord, ownValue } from '../../json/json.ts'
import type { JsonSchema, SchemaObject } from '../../types/json-schema.ts'
import { inPlaceSubschemas } from '../../json/subschemas.ts'
import { resolveLocal } from '../../json/local-reference.ts'

/**
 * Combines the schema of records that was inferred from fixtures with a declared one, which wins. Inferred fields that
 * are not declared stay if the declared schema allows additional fields; the id stays always.
 */
export function applySchema(
  inferred: SchemaObject,
  declared: SchemaObject,
  idField?: string,
): SchemaObject {
  const declaredNames = declaredNamesIn(declared)
  if (!declaredNames) return declared
  const { properties: _, required: _required, ...others } = withoutGuess(inferred, declared)
  const { properties: _own, required: _ownRequired, ...keywords } = declared
  const declaredFields = propertiesOf(declared)
  const isOpen =
    keywords['additionalProperties'] !== false && keywords['unevaluatedProperties'] !== false
  const properties: Record<string, JsonSchema> = {}
  for (const [name, schema] of Object.entries(propertiesOf(inferred))) {
    const declaredField = ownValue(declaredFields, name)
    if (declaredField !== undefined) define(properties, name, applyToField(schema, declaredField))
    else if (name === idField || (isOpen && !declaredNames.has(name)))
      define(properties, name, schema)
  }
  for (const [name, schema] of Object.entries(declaredFields)) {
    if (!Object.hasOwn(properties, name)) define(properties, name, schema)
  }
  const stillRequired = requiredOf(inferred).filter(
    (name) => name === idField || (Object.hasOwn(properties, name) && !declaredNames.has(name)),
  )
  const required = new Set([...stillRequired, ...requiredOf(declared)])
  return {
    ...others,
    ...keywords,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.size > 0 && { required: [...required] }),
  }
}

/** Removes `additionalProperties: true`, the guess for an empty collection, if fields are declared. */
function withoutGuess(inferred: SchemaObject, declared: SchemaObject): SchemaObject {
  const { additionalProperties, ...rest } = inferred
  const isGuess = additionalProperties === true && Object.keys(propertiesOf(declared)).length > 0
  return isGuess ? rest : inferred
}

/** Overrides the inferred schema of one field with a declared schema. */
export function applyToField(inferred: JsonSchema, declared: JsonSchema): JsonSchema {
  if (declared === true) return inferred
  if (declared === false || !isRecord(inferred)) return declared
  if (!valueKeywords.some((keyword) => Object.hasOwn(declared, keyword))) {
    return { ...inferred, ...declared }
  }
  if (isOf('object', declared) && isOf('object', inferred)) return applySchema(inferred, declared)
  const hasItems = ['items', 'prefixItems'].some((keyword) => Object.hasOwn(declared, keyword))
  return isOf('array', declared) && inferred['items'] !== undefined && !hasItems
    ? { ...declared, items: inferred['items'] }
    : declared
}

/** The keywords that describe the values themselves. A schema without them only adds to the inferred schema. */
const valueKeywords =
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

/** Returns the names of all declared fields, also in `allOf` and local `$ref`; undefined for a `$ref` elsewhere. */
function declaredNamesIn(schema: SchemaObject): ReadonlySet<string> | undefined {
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
