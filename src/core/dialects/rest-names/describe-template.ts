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

const count: JsonSchema = { type: 'integer', minimum: 0 }
const optionalCount: JsonSchema = { type: ['integer', 'null'], minimum: 0 }
const url: JsonSchema = { type: 'string', format: 'uri' }
const optionalUrl: JsonSchema = { type: ['string', 'null'], format: 'uri' }
const text: JsonSchema = { type: 'string' }

const common: VariableSchemas = {
  resource: text,
  singular: text,
  model: text,
  method: text,
  path: url,
  route: text,
  self: url,
}

/** Returns the schemas of the variables of a list of records. */
export function listSchemas(item: JsonSchema): VariableSchemas {
  return {
    ...common,
    items: { type: 'array', items: item },
    total: count,
    counted: optionalCount,
    count,
    page: count,
    pages: count,
    lastPage: count,
    limit: optionalCount,
    offset: count,
    from: optionalCount,
    to: optionalCount,
    first: optionalUrl,
    prev: optionalUrl,
    next: optionalUrl,
    last: optionalUrl,
    firstOfMany: optionalUrl,
    lastOfMany: optionalUrl,
    nextPage: optionalCount,
    prevPage: optionalCount,
    current: url,
    nextCursor: { type: ['string', 'null'] },
    hasNext: { type: 'boolean' },
    hasPrev: { type: 'boolean' },
    numberedLinks: {
      type: 'array',
      items: {
        type: 'object',
        required: ['url', 'label', 'active'],
        properties: {
          url: optionalUrl,
          label: text,
          page: { type: ['integer', 'null'] },
          active: { type: 'boolean' },
        },
      },
    },
    range: { type: ['string', 'null'] },
    links: { type: ['string', 'null'] },
  }
}

/** Returns the schemas of the variables of a record. */
export function recordSchemas(
  record: JsonSchema,
  part: JsonSchema,
  id: JsonSchema | undefined,
): VariableSchemas {
  return {
    ...common,
    record,
    fields: part,
    id: id ?? {},
    url,
    location: { type: ['string', 'null'] },
  }
}

/** Returns the schemas of the variables of an error; `fault` is that of each fault of a field. */
export function errorSchemas(fault: JsonSchema): VariableSchemas {
  return {
    ...common,
    status: { type: 'integer' },
    title: text,
    code: text,
    reason: text,
    allowed: { type: ['string', 'null'] },
    type: { type: ['string', 'null'] },
    detail: text,
    summary: text,
    errors: { type: 'object', additionalProperties: text },
    errorLists: { type: 'object', additionalProperties: { type: 'array', items: text } },
    errorTree: { type: 'object' },
    faults: { type: 'array', items: fault },
    id: text,
  }
}

/** The schemas of the variables of a fault. */
export const faultSchemas: VariableSchemas = {
  ...common,
  field: text,
  name: text,
  label: text,
  message: text,
  id: text,
}
