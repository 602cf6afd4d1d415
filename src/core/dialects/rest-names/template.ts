import { define, isRecord } from '../../json/json.ts'
import type { JsonSchema, SchemaObject } from '../../types/json-schema.ts'
import type { Template } from './options.ts'

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
  return typeof template === 'string' ? /^\$([A-Za-z]+)$/.exec(template)?.[1] : undefined
}

/** The JSON Schema of a template's bodies, from the schemas of its variables; `texts` has known values. */
export function schemaOf(
  template: Template,
  schemas: VariableSchemas,
  texts: Readonly<Record<string, string>> = {},
): JsonSchema {
  const variable = onlyVariable(template)
  if (variable !== undefined) return schemas[variable] ?? {}
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
  const own: SchemaObject = {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties,
  }
  return spread.length > 0 ? { allOf: [...spread, own] } : own
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

/** A variable in a text: `$name`. A second dollar sign escapes the first. */
const variable = /\$(\$|[A-Za-z]+)/g

function fillText(template: string, lookup: Lookup): unknown {
  const name = onlyVariable(template)
  return name === undefined ? toText(template, lookup) : (lookup(name) ?? null)
}
