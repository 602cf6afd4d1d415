import { toToken } from '../../json/pointer.ts'
import { isRecord } from '../../json/json.ts'
import type { JsonSchema, SchemaObject } from '../../types/json-schema.ts'
import { propertiesOf, requiredOf } from '../declared/apply-schema.ts'
import { referencedNames, type Shape } from '../shapes.ts'
import { type Place, toAnyValue, toElement } from '../place.ts'
import {
  describeField,
  findFree,
  fixturesType,
  nameTypes,
  toComment,
  toKey,
  toLiteral,
  toStringLiteral,
  toTypeName,
  type TypeNames,
} from './syntax.ts'

/** Writes a types file: an interface for each resource and each POST body, and `Fixtures`; lines start with `indent`. */
export function toTypescript(shapes: readonly Shape[], indent = ''): string {
  const sorted = shapes.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const names = nameTypes(sorted)
  const types = sorted.flatMap((shape) => {
    const own = names.get(shape.name)
    return own ? toTypes(shape, own, names, indent) : []
  })
  return [...types, toFixtures(sorted, names, indent)].join('\n')
}

function toFixtures(
  shapes: readonly Shape[],
  names: ReadonlyMap<string, TypeNames>,
  indent: string,
): string {
  const stored = shapes.filter(({ isMade }) => !isMade)
  const lines = stored.map(({ name, kind }) => {
    const { type = 'unknown' } = names.get(name) ?? {}
    return `${indent}  ${toKey(name)}: ${type}${kind === 'collection' ? '[]' : ''}\n`
  })
  const comment = toComment(
    [`All fixtures by name, for \`createMock<${fixturesType}>()\`.`],
    indent,
  )
  return `${comment}${indent}export interface ${fixturesType} {\n${lines.join('')}${indent}}\n`
}

function toTypes(
  shape: Shape,
  { type, input }: TypeNames,
  names: ReadonlyMap<string, TypeNames>,
  indent: string,
): string[] {
  const { kind, name, schema, relations } = shape
  const definitions = nameDefinitions(schema, type)
  const references = new Map(relations.map(({ place, to }) => [JSON.stringify(place), to]))
  const context: TypeContext = {
    resolve: (reference) =>
      definitions.get(reference)?.type ?? resourceType(reference, shape, type, names),
    referenceAt: (place) => references.get(JSON.stringify(place)),
  }
  const declare = (title: string, of: JsonSchema, lines: string[]): string => {
    const position = { place: [], indent }
    const isInterface = isRecord(of) && hasBody(of)
    const own = isRecord(of) ? describeField(of) : []
    const comment = toComment([...lines, ...own], indent)
    const head = isInterface ? `interface ${title} ` : `type ${title} = `
    const body = isInterface ? toBody(of, position, context) : toType(of, position, context)
    return `${comment}${indent}export ${head}${body}\n`
  }
  return [
    declare(type, shape.isMade ? withoutHidden(schema) : schema, [subjects[kind](name)]),
    ...Array.from(definitions.values(), (one) => declare(one.type, one.schema, [])),
    ...(kind === 'collection' && !shape.isMade
      ? [toInput(shape, { type, input }, context, indent)]
      : []),
  ]
}

/** Leaves out the fields that no response has, as a record of a view is never stored. */
function withoutHidden(schema: SchemaObject): SchemaObject {
  const shown = Object.entries(propertiesOf(schema)).filter(
    ([, own]) => !isRecord(own) || own['writeOnly'] !== true,
  )
  return { ...schema, ...(shown.length > 0 && { properties: Object.fromEntries(shown) }) }
}

const subjects: Readonly<Record<Shape['kind'], (name: string) => string>> = {
  collection: (name) => `A record of \`${name}\`.`,
  singleton: (name) => `The singleton \`${name}\`.`,
  document: (name) => `The document \`${name}\`.`,
}

/** Leaves out read-only fields; the id and the fields that the mock fills are optional. */
function toInput(
  { name, schema, idField, filled }: Shape,
  { type, input }: TypeNames,
  context: TypeContext,
  indent: string,
): string {
  const comment = toComment([`The body of a POST to \`${name}\`.`], indent)
  if (!hasBody(schema)) return `${comment}${indent}export type ${input} = Partial<${type}>\n`
  const required = requiredOf(schema)
  const lines = Object.entries(propertiesOf(schema)).flatMap(([key, own]) => {
    if (isRecord(own) && own['readOnly'] === true) return []
    const isRequired = required.includes(key) && key !== idField && !filled.includes(key)
    const text = toType(own, { place: [key], indent: '' }, context)
    // A long type is taken from the record.
    const field = `${type}[${toStringLiteral(key)}]`
    const found = required.includes(key) ? field : `Exclude<${field}, undefined>`
    const written = text.includes('\n') ? found : text
    return [`${indent}  ${toKey(key)}${isRequired ? '' : '?'}: ${written}\n`]
  })
  const others =
    schema['additionalProperties'] === true ? `${indent}  [key: string]: unknown\n` : ''
  return `${comment}${indent}export interface ${input} {\n${lines.join('')}${others}${indent}}\n`
}

function nameDefinitions(
  { $defs }: SchemaObject,
  type: string,
): Map<string, { type: string; schema: JsonSchema }> {
  const definitions = new Map<string, { type: string; schema: JsonSchema }>()
  const used = new Set<string>()
  for (const [name, schema] of Object.entries(isRecord($defs) ? $defs : {})) {
    const own = findFree(`${type}${toTypeName(name)}`, (one) => !used.has(one))
    used.add(own)
    definitions.set(`#/$defs/${toToken(name)}`, { type: own, schema: schema as JsonSchema })
  }
  return definitions
}

/** `#` is the resource itself, `users.schema.json` another. */
function resourceType(
  reference: string,
  { name, schema }: Shape,
  type: string,
  names: ReadonlyMap<string, TypeNames>,
): string | undefined {
  if (reference === '#' || reference === schema['$id']) return type
  const found = referencedNames(reference, name).find((other) => names.has(other)) ?? ''
  return names.get(found)?.type
}

function toType(schema: JsonSchema, position: TypePosition, context: TypeContext): string {
  return [...new Set(toUnion(schema, position, context))].join(' | ')
}

function toBody(
  schema: SchemaObject,
  { place, indent }: TypePosition,
  context: TypeContext,
): string {
  const required = requiredOf(schema)
  const inner = `${indent}  `
  const lines = Object.entries(propertiesOf(schema)).map(([name, own]) => {
    const position = { place: [...place, name], indent: inner }
    const notes = [
      ...describeReference(position.place, context),
      ...(isRecord(own) ? describeField(own) : []),
    ]
    // An inferred schema names the reference in its description, too.
    const comment = toComment([...new Set(notes)], inner)
    const mark = required.includes(name) ? '' : '?'
    return `${comment}${inner}${toKey(name)}${mark}: ${toType(own, position, context)}\n`
  })
  const others = isClosed(schema) ? '' : `${inner}[key: string]: unknown\n`
  return `{\n${lines.join('')}${others}${indent}}`
}

interface TypePosition {
  place: Place
  indent: string
}

interface TypeContext {
  /** Returns the type that a `$ref` points to; undefined if it points nowhere. */
  resolve(reference: string): string | undefined
  referenceAt(place: Place): string | undefined
}

function describeReference(place: Place, { referenceAt }: TypeContext): string[] {
  const one = referenceAt(place)
  const many = referenceAt([...place, toElement])
  if (one !== undefined) return [`The id of a record of \`${one}\`.`]
  return many === undefined ? [] : [`The ids of records of \`${many}\`.`]
}

function hasBody(schema: SchemaObject): boolean {
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

function toUnion(schema: JsonSchema, position: TypePosition, context: TypeContext): string[] {
  if (typeof schema === 'boolean') return [schema ? 'unknown' : 'never']
  const { anyOf, oneOf, allOf, $ref, const: only, enum: values, ...own } = schema
  if ('const' in schema) return [toLiteral(only)]
  if (Array.isArray(values)) return values.map(toLiteral)
  const parts = [
    ...(typeof $ref === 'string' ? [[context.resolve($ref) ?? 'unknown']] : []),
    ...[anyOf, oneOf]
      .filter(isList)
      .map((all) => all.flatMap((one) => toUnion(one, position, context))),
    ...(isList(allOf) ? allOf.map((one) => toUnion(one, position, context)) : []),
    fromTypes(own, position, context),
  ].filter((part) => !part.includes('unknown'))
  const [first = ['unknown'], ...others] = parts
  return others.length === 0 ? first : [parts.map(toOperand).join(' & ')]
}

function toOperand(part: readonly string[]): string {
  const union = [...new Set(part)]
  return union.length === 1 ? `${union[0]}` : `(${union.join(' | ')})`
}

function isList(value: unknown): value is JsonSchema[] {
  return Array.isArray(value)
}

function fromTypes(schema: SchemaObject, position: TypePosition, context: TypeContext): string[] {
  const { type } = schema
  const implied = impliedTypes.find(([, keywords]) => keywords.some((one) => one in schema))
  const names = [type ?? implied?.[0] ?? []].flat() as string[]
  return names.length === 0
    ? ['unknown']
    : names.map((name) => toNamed(name, schema, position, context))
}

const impliedTypes: readonly (readonly [type: string, keywords: readonly string[]])[] = [
  ['object', ['properties', 'additionalProperties', 'patternProperties', 'required']],
  ['array', ['items', 'prefixItems']],
  ['string', ['format', 'pattern', 'minLength', 'maxLength']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
]

function toNamed(
  name: string,
  schema: SchemaObject,
  position: TypePosition,
  context: TypeContext,
): string {
  if (name === 'object') return toObject(schema, position, context)
  if (name === 'array') return toArray(schema, position, context)
  if (name === 'integer') return 'number'
  return ['string', 'number', 'boolean', 'null'].includes(name) ? name : 'unknown'
}

function toObject(schema: SchemaObject, position: TypePosition, context: TypeContext): string {
  if (Object.keys(propertiesOf(schema)).length > 0) return toBody(schema, position, context)
  const { additionalProperties, patternProperties } = schema
  const values = [
    ...(isRecord(patternProperties) ? (Object.values(patternProperties) as JsonSchema[]) : []),
    ...(isSchema(additionalProperties) ? [additionalProperties] : []),
  ]
  const inner = { place: [...position.place, toAnyValue], indent: position.indent }
  const types = values.map((value) => toType(value, inner, context))
  return `Record<string, ${[...new Set(types)].join(' | ') || 'unknown'}>`
}

function toArray(
  { items, prefixItems }: SchemaObject,
  position: TypePosition,
  context: TypeContext,
): string {
  const inner = { place: [...position.place, toElement], indent: position.indent }
  const rest = isSchema(items) ? toOperand(toUnion(items, inner, context)) : 'unknown'
  if (!isList(prefixItems)) return `${rest}[]`
  const first = prefixItems.map((one) => `${toOperand(toUnion(one, inner, context))}?`)
  return `[${[...first, ...(items === false ? [] : [`...${rest}[]`])].join(', ')}]`
}

function isSchema(value: unknown): value is JsonSchema {
  return isRecord(value) || typeof value === 'boolean'
}
