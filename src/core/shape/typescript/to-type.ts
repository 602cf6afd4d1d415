import { isRecord } from '../../json/json.ts'
import type { JsonSchema, SchemaObject } from '../../types/json-schema.ts'
import { propertiesOf, requiredOf } from '../declared/apply-schema.ts'
import { type Place, toAnyValue, toElement } from '../place.ts'
import { describeField, toComment } from './comments.ts'
import { toKey, toLiteral } from './literals.ts'

/** Writes a JSON Schema as a TypeScript type: a union if several types are possible. */
export function toType(schema: JsonSchema, at: TypePosition, context: TypeContext): string {
  return [...new Set(toUnion(schema, at, context))].join(' | ')
}

/** Writes the body of an interface: the fields of an object, one on each line, and the closing brace. */
export function toBody(
  schema: SchemaObject,
  { place, indent }: TypePosition,
  context: TypeContext,
): string {
  const required = requiredOf(schema)
  const inner = `${indent}  `
  const lines = Object.entries(propertiesOf(schema)).map(([name, own]) => {
    const at = { place: [...place, name], indent: inner }
    const notes = [
      ...describeReference(at.place, context),
      ...(isRecord(own) ? describeField(own) : []),
    ]
    const comment = toComment(notes, inner)
    const mark = required.includes(name) ? '' : '?'
    return `${comment}${inner}${toKey(name)}${mark}: ${toType(own, at, context)}\n`
  })
  const others = isClosed(schema) ? '' : `${inner}[key: string]: unknown\n`
  return `{\n${lines.join('')}${others}${indent}}`
}

/** The position of a type: its place in the data, and its indentation in the file. */
export interface TypePosition {
  place: Place
  /** The spaces in front of the line that the type begins on. */
  indent: string
}

/** Looks up what a schema refers to while its types are written: other types, and other resources. */
export interface TypeContext {
  /** Returns the type that a `$ref` points to; undefined if it points nowhere. */
  resolve(reference: string): string | undefined
  /** Returns the collection whose ids the values at a place are. */
  referenceAt(place: Place): string | undefined
}

/** Names the collection whose id, or list of ids, a field holds. */
function describeReference(place: Place, { referenceAt }: TypeContext): string[] {
  const one = referenceAt(place)
  const many = referenceAt([...place, toElement])
  if (one !== undefined) return [`The id of a record of \`${one}\`.`]
  return many === undefined ? [] : [`The ids of records of \`${many}\`.`]
}

/** Whether a schema describes an object with fields, so that its type can be an interface. */
export function hasBody(schema: SchemaObject): boolean {
  const isObject = schema['type'] === 'object' || schema['type'] === undefined
  return (
    isObject &&
    Object.keys(propertiesOf(schema)).length > 0 &&
    !compositions.some((name) => name in schema)
  )
}

const compositions = ['$ref', 'allOf', 'anyOf', 'oneOf', 'enum', 'const']

/** Whether an object has only the fields that the schema lists, as by default. */
function isClosed({ additionalProperties = false, patternProperties }: SchemaObject): boolean {
  return additionalProperties === false && patternProperties === undefined
}

/** Returns the parts of a union type. */
function toUnion(schema: JsonSchema, at: TypePosition, context: TypeContext): string[] {
  if (typeof schema === 'boolean') return [schema ? 'unknown' : 'never']
  const { anyOf, oneOf, allOf, $ref, const: only, enum: values, ...own } = schema
  if ('const' in schema) return [toLiteral(only)]
  if (Array.isArray(values)) return values.map(toLiteral)
  const parts = [
    ...(typeof $ref === 'string' ? [[context.resolve($ref) ?? 'unknown']] : []),
    ...[anyOf, oneOf].filter(isList).map((all) => all.flatMap((one) => toUnion(one, at, context))),
    ...(isList(allOf) ? allOf.map((one) => toUnion(one, at, context)) : []),
    fromTypes(own, at, context),
  ].filter((part) => !part.includes('unknown'))
  const [first = ['unknown'], ...others] = parts
  return others.length === 0 ? first : [parts.map(toOperand).join(' & ')]
}

/** Writes a part of an intersection, in parentheses if the part is a union. */
function toOperand(part: readonly string[]): string {
  const union = [...new Set(part)]
  return union.length === 1 ? `${union[0]}` : `(${union.join(' | ')})`
}

function isList(value: unknown): value is JsonSchema[] {
  return Array.isArray(value)
}

/** Returns the types that `type` names, or the type that another keyword implies. */
function fromTypes(schema: SchemaObject, at: TypePosition, context: TypeContext): string[] {
  const { type } = schema
  const implied = Object.entries(impliedTypes).find(([keyword]) => keyword in schema)?.[1]
  const names = [type ?? implied ?? []].flat() as string[]
  return names.length === 0 ? ['unknown'] : names.map((name) => toNamed(name, schema, at, context))
}

/** The type that a keyword of a schema without `type` implies. */
const impliedTypes: Readonly<Record<string, string>> = {
  properties: 'object',
  additionalProperties: 'object',
  patternProperties: 'object',
  required: 'object',
  items: 'array',
  prefixItems: 'array',
  format: 'string',
  pattern: 'string',
  minLength: 'string',
  maxLength: 'string',
  minimum: 'number',
  maximum: 'number',
  exclusiveMinimum: 'number',
  exclusiveMaximum: 'number',
  multipleOf: 'number',
}

function toNamed(
  name: string,
  schema: SchemaObject,
  at: TypePosition,
  context: TypeContext,
): string {
  if (name === 'object') return toObject(schema, at, context)
  if (name === 'array') return toArray(schema, at, context)
  if (name === 'integer') return 'number'
  return ['string', 'number', 'boolean', 'null'].includes(name) ? name : 'unknown'
}

function toObject(schema: SchemaObject, at: TypePosition, context: TypeContext): string {
  if (Object.keys(propertiesOf(schema)).length > 0) return toBody(schema, at, context)
  const { additionalProperties, patternProperties } = schema
  const values = [
    ...(isRecord(patternProperties) ? (Object.values(patternProperties) as JsonSchema[]) : []),
    ...(isSchema(additionalProperties) ? [additionalProperties] : []),
  ]
  const inner = { place: [...at.place, toAnyValue], indent: at.indent }
  const types = values.map((value) => toType(value, inner, context))
  return `Record<string, ${[...new Set(types)].join(' | ') || 'unknown'}>`
}

function toArray(
  { items, prefixItems }: SchemaObject,
  at: TypePosition,
  context: TypeContext,
): string {
  const inner = { place: [...at.place, toElement], indent: at.indent }
  const rest = isSchema(items) ? toOperand(toUnion(items, inner, context)) : 'unknown'
  if (!isList(prefixItems)) return `${rest}[]`
  const first = prefixItems.map((one) => `${toOperand(toUnion(one, inner, context))}?`)
  return `[${[...first, ...(items === false ? [] : [`...${rest}[]`])].join(', ')}]`
}

function isSchema(value: unknown): value is JsonSchema {
  return isRecord(value) || typeof value === 'boolean'
}
