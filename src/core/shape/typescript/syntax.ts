import { singularOf } from '../../text/plurals.ts'
import { isRecord } from '../../json/json.ts'
import type { SchemaObject } from '../../types/json-schema.ts'
import type { Shape } from '../shapes.ts'

/** Names the types as a person would: `V1OrderItem` for `v1/order-items`; a twin gets a number. */
export function nameTypes(shapes: readonly Pick<Shape, 'name' | 'kind'>[]): Map<string, TypeNames> {
  const used = new Set(taken)
  const isFree = (name: string): boolean => !used.has(name) && !used.has(`${name}Input`)
  return new Map(
    shapes.map(({ name, kind }) => {
      const wanted = toTypeName(kind === 'collection' ? singularOf(name) : name)
      const type = findFree(taken.includes(wanted) ? `${wanted}Item` : wanted, isFree)
      const names = { type, input: `${type}Input` }
      used.add(names.type).add(names.input)
      return [name, names]
    }),
  )
}

/** The names of the generated types of one resource. */
export interface TypeNames {
  /** The type of a record of a collection, or of the value of another resource: `Post`. */
  type: string
  /** The type of the body of a POST to a collection: `PostInput`. */
  input: string
}

/** The name of the generated type of all fixtures. */
export const fixturesType = 'Fixtures'

/** Names of types that a generated file cannot declare: they are built in, or the file uses them. */
const taken =
  'Array BigInt Boolean Date Error Exclude Extract Fixtures FixtureSource Function Json JSON Map Math NonNullable Number Object Omit Partial Pick Promise Proxy Readonly Record RegExp Required Set String Symbol'.split(
    ' ',
  )

/** Returns the name if it is free, otherwise the name with the first number from 2 that makes it free. */
export function findFree(name: string, isFree: (name: string) => boolean): string {
  if (isFree(name)) return name
  for (let number = 2; ; number++) if (isFree(`${name}${number}`)) return `${name}${number}`
}

/** Converts any text to a valid identifier in Pascal case: `OrderItem` for `order-item`. */
export function toTypeName(text: string): string {
  const words = text.split(/[^\p{ID_Continue}]+|_+/u).filter((word) => word !== '')
  const name = words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('')
  if (name === '') return 'Resource'
  return /^\p{ID_Start}/u.test(name) ? name : `_${name}`
}

/** Returns the TypeScript string literal of a text, for generated types. */
export function toStringLiteral(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')
  // In TypeScript 5.0, these characters end a line, also inside of a string.
  const onOneLine = escaped.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
  return `'${onOneLine.replaceAll("'", "\\'")}'`
}

/** Returns the name of a property in TypeScript, in quotes unless the name is an identifier. */
export function toKey(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : toStringLiteral(name)
}

/** Returns the TypeScript literal type of a JSON value. */
export function toLiteral(value: unknown): string {
  if (typeof value === 'string') return toStringLiteral(value)
  if (Array.isArray(value)) return `[${value.map(toLiteral).join(', ')}]`
  if (!isRecord(value)) return String(value)
  const entries = Object.entries(value).map(([key, inner]) => `${toKey(key)}: ${toLiteral(inner)}`)
  return entries.length === 0 ? 'Record<string, never>' : `{ ${entries.join('; ')} }`
}

/** Writes lines as a JSDoc comment of a generated type; returns an empty text if there are no lines. */
export function toComment(lines: readonly string[], indent: string): string {
  const safe = lines.flatMap((line) => line.replaceAll('*/', '*\\/').split(/\r?\n/))
  if (safe.length === 0) return ''
  if (safe.length === 1) return `${indent}/** ${safe[0]} */\n`
  return `${indent}/**\n${safe.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`
}

/** Returns the comment of a field: what a type cannot express, such as the format or default. */
export function describeField(schema: SchemaObject): string[] {
  const { description, format, pattern, deprecated, readOnly } = schema
  return [
    ...(typeof description === 'string' ? [description] : []),
    ...(typeof format === 'string' ? [`Format: ${format}.`] : []),
    ...(typeof pattern === 'string' ? [`Pattern: \`${pattern}\`.`] : []),
    ...(readOnly === true ? ['Requests cannot set it.'] : []),
    ...(schema['default'] === undefined ? [] : [`@default ${toLiteral(schema['default'])}`]),
    ...(deprecated === true ? ['@deprecated'] : []),
  ]
}
