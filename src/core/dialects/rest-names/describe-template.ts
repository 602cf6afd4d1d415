import { isRecord } from '../../json/json.ts'
import type { JsonSchema, SchemaObject } from '../../types/json-schema.ts'
import type { Template } from './options.ts'
import { onlyVariable, toText, variablesOf } from './template.ts'

/**
 * Returns the JSON Schema of the bodies that a template becomes, for API documents (OpenAPI), from the schemas of
 * its variables; `texts` has the variables whose values are known.
 */
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
