import { toToken } from '../../json/pointer.ts'
import { isRecord } from '../../json/json.ts'
import type { JsonSchema, SchemaObject } from '../../types/json-schema.ts'
import { propertiesOf, requiredOf } from '../declared/apply-schema.ts'
import { referencedNames } from '../referenced-names.ts'
import type { Shape } from '../shapes.ts'
import { describeField, toComment } from './comments.ts'
import { toKey, toStringLiteral } from './literals.ts'
import { findFree, fixturesType, nameTypes, toTypeName, type TypeNames } from './names.ts'
import { hasBody, toBody, toType, type TypeContext } from './to-type.ts'

/**
 * Writes the TypeScript declarations of a types file (`mock types`) from the shapes of all resources: an
 * interface for each resource, an interface of the body of a POST for each collection, and `Fixtures`, the type
 * of all resources by name, which `createMock<Fixtures>()` takes. Each line starts with `indent`.
 */
export function toTypescript(shapes: readonly Shape[], indent = ''): string {
  const sorted = shapes.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const names = nameTypes(sorted)
  const types = sorted.flatMap((shape) => {
    const own = names.get(shape.name)
    return own ? toTypes(shape, own, names, indent) : []
  })
  return [...types, toFixtures(sorted, names, indent)].join('\n')
}

/** Writes the interface of all resources by name. */
function toFixtures(
  shapes: readonly Shape[],
  names: ReadonlyMap<string, TypeNames>,
  indent: string,
): string {
  const lines = shapes.map(({ name, kind }) => {
    const { type = 'unknown' } = names.get(name) ?? {}
    return `${indent}  ${toKey(name)}: ${type}${kind === 'collection' ? '[]' : ''}\n`
  })
  const comment = toComment(
    [`All fixtures by name, for \`createMock<${fixturesType}>()\`.`],
    indent,
  )
  return `${comment}${indent}export interface ${fixturesType} {\n${lines.join('')}${indent}}\n`
}

/** Writes the declarations for a resource: its type, the definitions of its schema, and the body of a POST. */
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
    const at = { place: [], indent }
    const isInterface = isRecord(of) && hasBody(of)
    const own = isRecord(of) ? describeField(of) : []
    const comment = toComment([...lines, ...own], indent)
    const head = isInterface ? `interface ${title} ` : `type ${title} = `
    const body = isInterface ? toBody(of, at, context) : toType(of, at, context)
    return `${comment}${indent}export ${head}${body}\n`
  }
  return [
    declare(type, schema, [subjects[kind](name)]),
    ...Array.from(definitions.values(), (one) => declare(one.type, one.schema, [])),
    ...(kind === 'collection' ? [toInput(shape, { type, input }, context, indent)] : []),
  ]
}

const subjects: Readonly<Record<Shape['kind'], (name: string) => string>> = {
  collection: (name) => `A record of \`${name}\`.`,
  singleton: (name) => `The singleton \`${name}\`.`,
  document: (name) => `The document \`${name}\`.`,
}

/**
 * Writes the type of the body of a POST, without read-only fields. The id and the fields that the mock fills
 * are optional.
 */
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

/** Names a type for each definition in a schema (`$defs`), by the references that point to it. */
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

/**
 * Returns the name of the type of the resource that a reference points to: `#` is the resource itself,
 * `users.schema.json` another.
 */
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
