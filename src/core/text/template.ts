import { type Check, wrong } from '../errors/check.ts'
import { suggest } from '../errors/nearest.ts'
import { define, isRecord, type JsonRecord, ownValue } from '../json/json.ts'
import type { JsonSchema, SchemaObject } from '../types/json-schema.ts'

/**
 * A JSON value whose texts and keys contain variables. A text that is only a variable (`'$items'`) becomes
 * its value, of any type; within other text (`'/posts?page=$page'`) a variable becomes text, and `$$` is a
 * dollar sign. The value of the key `...` is an object whose members are spread: `{ '...': '$record' }`. A key
 * that ends with `?` is left out if a variable in its value has no value. A variable that is a record can name one
 * of its fields, `$record.author.name`, or several: `$user.{name,email}` is an object of these fields.
 */
export type Template =
  | null
  | boolean
  | number
  | string
  | readonly Template[]
  | { readonly [key: string]: Template }

/** Creates a JSON value from a template by replacing its variables, as {@link Template} says. */
export function fill(template: Template, lookup: Lookup): unknown {
  if (typeof template === 'string') return fillText(template, lookup)
  if (Array.isArray(template)) return template.map((one: Template) => fill(one, lookup))
  if (!isRecord(template)) return template
  const filled: Record<string, unknown> = {}
  for (const [key, inner] of Object.entries(template)) {
    if (key === '...') {
      const value = fill(inner, lookup)
      if (isRecord(value)) for (const name of Object.keys(value)) define(filled, name, value[name])
      continue
    }
    const isOptional = key.endsWith('?')
    if (isOptional && variablesOf(inner).some((name) => (lookup(name) ?? null) === null)) continue
    define(filled, toText(isOptional ? key.slice(0, -1) : key, lookup), fill(inner, lookup))
  }
  return filled
}

/** Replaces the variables of a text by their values as text. */
export function toText(template: string, lookup: Lookup): string {
  return template.replaceAll(variable, (_, name: string) => {
    if (name === '$') return '$'
    const value = lookup(name)
    if (typeof value === 'string') return value
    return value === null || value === undefined ? '' : JSON.stringify(value)
  })
}

/** Returns the names of all variables in a template, also in its keys. */
export function variablesOf(template: Template): string[] {
  if (typeof template === 'string') {
    return Array.from(template.matchAll(variable), ([, name = '']) => name).filter(
      (name) => name !== '$',
    )
  }
  if (Array.isArray(template)) return template.flatMap(variablesOf)
  if (!isRecord(template)) return []
  return Object.entries(template).flatMap(([key, inner]) => [
    ...variablesOf(key),
    ...variablesOf(inner),
  ])
}

/** Returns the variable that a text consists of: `items` for `'$items'`. */
export function onlyVariable(template: Template): string | undefined {
  if (typeof template !== 'string') return undefined
  const [whole, name] = [...template.matchAll(variable)][0] ?? []
  return whole === template && name !== '$' ? name : undefined
}

/** The JSON Schema of a template's bodies, from the schemas of its variables; `texts` has known values. */
export function schemaOf(
  template: Template,
  schemas: VariableSchemas,
  texts: Readonly<Record<string, string>> = {},
): JsonSchema {
  const variable = onlyVariable(template)
  if (variable !== undefined) return schemas[variable] ?? fieldsSchema(variable)
  if (typeof template === 'string') {
    return variablesOf(template).length > 0
      ? { type: 'string' }
      : { const: toText(template, () => '') }
  }
  if (Array.isArray(template)) return { type: 'array' }
  if (!isRecord(template)) return { const: template }
  const properties: Record<string, JsonSchema> = {}
  const required: string[] = []
  const spread: JsonSchema[] = []
  for (const [written, inner] of Object.entries(template as Record<string, Template>)) {
    if (written === '...') {
      spread.push(schemaOf(inner, schemas, texts))
      continue
    }
    const isOptional = written.endsWith('?')
    const key = isOptional ? written.slice(0, -1) : written
    if (variablesOf(key).some((name) => texts[name] === undefined)) continue
    const name = toText(key, (variableName) => texts[variableName])
    properties[name] = isOptional
      ? schemaOf(inner, mapSchemas(schemas, withoutNull), texts)
      : schemaOf(inner, schemas, texts)
    if (!isOptional) required.push(name)
  }
  const own: SchemaObject = { type: 'object', ...(required.length > 0 && { required }), properties }
  return spread.length > 0 ? { allOf: [...spread, own] } : own
}

function fieldsSchema(variable: string): JsonSchema {
  const [, names] = /\.\{(.*)\}$/.exec(variable) ?? []
  if (names === undefined) return {}
  const required = names.split(',')
  return {
    type: 'object',
    required,
    properties: Object.fromEntries(required.map((name) => [name, {}])),
  }
}

/** The schemas of variables, by name; a variable without a schema can have any value. */
export type VariableSchemas = Readonly<Record<string, JsonSchema>>

function mapSchemas(
  schemas: VariableSchemas,
  convert: (schema: JsonSchema) => JsonSchema,
): VariableSchemas {
  return Object.fromEntries(Object.entries(schemas).map(([name, one]) => [name, convert(one)]))
}

function withoutNull(schema: JsonSchema): JsonSchema {
  if (!isRecord(schema) || !Array.isArray(schema['type'])) return schema
  return { ...schema, type: schema['type'].filter((one) => one !== 'null') }
}

/** Returns the value of a variable, without its dollar sign; null for a variable without a value. */
export type Lookup = (variable: string) => unknown

/** A variable in a text: `$name`, or a field of a record. A second dollar sign escapes the first. */
const variable = /\$(\$|(?:record|fields|user|body)(?:\.(?:[A-Za-z_]\w*|\{[\w,]+\}))+|[A-Za-z]+)/g

function fillText(template: string, lookup: Lookup): unknown {
  const name = onlyVariable(template)
  return name === undefined ? toText(template, lookup) : (lookup(name) ?? null)
}

/** The check of a template, which a program may have made, so that it can hold other values than JSON. */
export const isTemplate: Check = [
  isJson,
  'a template, such as { "data": "$items" }, or null for no body',
]

function isJson(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isJson)
  if (isRecord(value)) return Object.values(value).every(isJson)
  return value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value)
}

/** A variable of templates: its value is a pure function of facts, which are plain data. */
export interface Variable<Facts, Parts = never> {
  /** The name without the dollar sign. */
  name: string
  value(facts: Facts): unknown
  schema: JsonSchema | ((parts: Parts) => JsonSchema)
}

/** Returns the lookup of variables in facts, for templates: also of the fields of a record, such as `user.email`. */
export function toLookup<Facts, Parts>(
  variables: readonly Variable<Facts, Parts>[],
  facts: Facts,
): Lookup {
  return (path) => {
    const [name, ...fields] = path.split('.')
    const value = variables.find((variable) => variable.name === name)?.value(facts)
    return fields.reduce((inner, field) => (isRecord(inner) ? select(inner, field) : null), value)
  }
}

/** Returns a field of a record, or an object of the fields that `{name,email}` names. */
function select(record: JsonRecord, field: string): unknown {
  if (!field.startsWith('{')) return ownValue(record, field)
  const names = field.slice(1, -1).split(',')
  return Object.fromEntries(names.map((name) => [name, ownValue(record, name) ?? null]))
}

/** Returns the schema of each variable by its name. */
export function toSchemas<Facts, Parts>(
  variables: readonly Variable<Facts, Parts>[],
  parts: Parts,
): Record<string, JsonSchema> {
  return Object.fromEntries(
    variables.map(({ name, schema }) => [
      name,
      typeof schema === 'function' ? schema(parts) : schema,
    ]),
  )
}

/** Returns the names of variables. */
export function namesOf(variables: readonly { name: string }[]): string[] {
  return variables.map(({ name }) => name)
}

/** @throws MockError with the nearest names for a variable of a template that is not known */
export function checkVariables(
  subject: string,
  place: string,
  template: Template,
  known: readonly string[],
): void {
  const isKnown = (name: string): boolean => known.includes(name.split('.', 1)[0] ?? '')
  const unknown = variablesOf(template).find((name) => !isKnown(name))
  if (unknown === undefined) return
  const near =
    known.length === 0
      ? 'This body has no variables.'
      : suggest(unknown, known).replaceAll(/(["\s])(?=[A-Za-z]+[",.])/g, '$1$')
  throw wrong(subject, `"${place}" has the unknown variable "$${unknown}". ${near}`)
}
