import { isRecord } from '../../json/json.ts'
import { propertiesOf, requiredOf } from '../../shape/declared/apply-schema.ts'
import type { JsonSchema, SchemaObject } from '../../types/json-schema.ts'
import { admit } from './admit.ts'
import { isMarked, mapProperties, typesOf, withRequired } from './properties.ts'

// Variants of the schema of a record for bodies: with fields left out, for input, for a patch and for a form.

/** Keywords that stay true when fields of an object are left out, at any depth. */
const lasting = new Set(
  'title description type enum const format pattern minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf readOnly writeOnly deprecated default'.split(
    ' ',
  ),
)

/** Returns the schema with all fields optional, as for `_fields`, without claims on them. */
export function toPart(schema: JsonSchema): JsonSchema {
  if (!isRecord(schema)) return schema
  const part: Record<string, unknown> = {}
  const isContainer = ['object', 'array'].some((one) => typesOf(schema)?.includes(one) ?? true)
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'properties') part[keyword] = propertiesOf(mapProperties(schema, toPart))
    else if (keyword === 'additionalProperties' || keyword === 'items')
      part[keyword] = toPart(value as JsonSchema)
    else if (keyword === 'anyOf' || keyword === 'oneOf')
      part['anyOf'] = (value as JsonSchema[]).map(toPart)
    else if (lasting.has(keyword) && !(isContainer && ['enum', 'const'].includes(keyword))) {
      part[keyword] = value
    }
  }
  return part
}

/** The rules for the fields that a client may send. */
export interface InputRules {
  /** The fields that the mock sets if a request lacks them. */
  optional: readonly string[]
  /** The names that no field may have, because relations have them. */
  forbidden: readonly string[]
}

/** Creates the schema of the body of a POST or a PUT: a record without the fields that only the mock sets. */
export function toInput(schema: SchemaObject, { optional, forbidden }: InputRules): SchemaObject {
  const writable = mapProperties(schema, (property) =>
    isMarked(property, 'readOnly') ? undefined : property,
  )
  const input = withRequired(writable, (name) => !optional.includes(name))
  const names = forbidden.filter((name) => !Object.hasOwn(propertiesOf(schema), name))
  return names.length > 0 ? { ...input, propertyNames: { not: { enum: names } } } : input
}

/** Creates the schema of the body of a PATCH: some fields of the input. */
export function toPatch(input: SchemaObject): SchemaObject {
  return withRequired(input, () => false)
}

/** Creates the schema of a merge patch (RFC 7396), in which null removes an optional field. */
export function toMergePatch(input: SchemaObject, record: SchemaObject): SchemaObject {
  const required = requiredOf(record)
  return mapProperties(toPatch(input), (property, name) =>
    required.includes(name)
      ? withoutNull(property)
      : admit(withoutNull(property), { type: 'null' }),
  )
}

function withoutNull(schema: JsonSchema): JsonSchema {
  if (!isRecord(schema)) return schema
  const { type, anyOf, enum: values } = schema
  const inner = mapProperties(schema, withoutNull)
  const kept: SchemaObject = schema['properties'] === undefined ? schema : inner
  if (Array.isArray(type)) {
    const types = (type as string[]).filter((one) => one !== 'null')
    return {
      ...kept,
      type: types.length === 1 ? types[0] : types,
      ...(Array.isArray(values) && { enum: (values as unknown[]).filter((one) => one !== null) }),
    }
  }
  if (Array.isArray(anyOf)) {
    const others = (anyOf as JsonSchema[]).filter((one) => !isNull(one)).map(withoutNull)
    return { ...kept, anyOf: others }
  }
  return typesOf(schema) === undefined ? { ...kept, not: { type: 'null' } } : kept
}

function isNull(schema: JsonSchema): boolean {
  return isRecord(schema) && schema['type'] === 'null'
}

/** Creates the schema of a form of texts; undefined if a required field cannot be text. */
export function toForm(input: SchemaObject): SchemaObject | undefined {
  const isText = (schema: JsonSchema): boolean => typesOf(schema)?.includes('string') ?? false
  const properties = Object.entries(propertiesOf(input))
  const others = properties.filter(([, schema]) => !isText(schema)).map(([name]) => name)
  if (properties.length === others.length) return undefined
  if (requiredOf(input).some((name) => others.includes(name))) return undefined
  const { propertyNames: _, ...form } = mapProperties(input, (schema) =>
    isText(schema) ? toText(schema) : undefined,
  )
  const forbidden = [...others, ...forbiddenIn(input)]
  return {
    ...form,
    minProperties: 1,
    ...(forbidden.length > 0 && { propertyNames: { not: { enum: forbidden } } }),
  }
}

function forbiddenIn({ propertyNames }: SchemaObject): readonly unknown[] {
  const not = isRecord(propertyNames) ? propertyNames['not'] : undefined
  return isRecord(not) && Array.isArray(not['enum']) ? not['enum'] : []
}

function toText(schema: JsonSchema): JsonSchema {
  if (!isRecord(schema)) return schema
  const { anyOf, enum: values, default: _, ...others } = schema
  const options = Array.isArray(anyOf) ? (anyOf as JsonSchema[]) : []
  const text = options.find((one) => typesOf(one)?.includes('string'))
  return {
    ...others,
    ...(isRecord(text) && text),
    type: 'string',
    ...(Array.isArray(values) && {
      enum: (values as unknown[]).filter((one) => typeof one === 'string'),
    }),
  }
}
