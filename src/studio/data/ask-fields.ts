import { ask } from '../control.ts'
import type { Row } from '../app/state.ts'
import type { Field, FieldKind } from './fields.ts'

/** A JSON Schema (2020-12) of a resource, with the keywords that the page reads. */
export interface Schema {
  type?: string | string[]
  format?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  items?: Schema
  readOnly?: boolean
  description?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
  multipleOf?: number
  pattern?: string
  minItems?: number
  maxItems?: number
  properties?: Record<string, Schema>
  required?: string[]
}

/** Fetches the JSON Schema of a resource; an empty one for a resource that the mock cannot describe. */
export async function askSchema(name: string): Promise<Schema> {
  const path = name.split('/').map(encodeURIComponent).join('/')
  return ask<Schema>(`schema/${path}.json`).catch((): Schema => ({}))
}

/** Returns the fields of a resource with their types. */
export function toFields({ properties = {}, required = [] }: Schema): Field[] {
  return Object.entries(properties).map(([key, one]) => toField(key, one, required.includes(key)))
}

/** Adds fields that only the records have, such as those of new records. */
export function withFieldsOf(fields: readonly Field[], records: readonly Row[]): Field[] {
  const known = new Set(fields.map(({ name }) => name))
  const added = new Set(records.flatMap((row) => Object.keys(row).filter((key) => !known.has(key))))
  return [...fields, ...Array.from(added, (key) => toField(key))]
}

/** The fields and, after each, the fields inside of its objects. */
export function withInner(fields: readonly Field[]): Field[] {
  return fields.flatMap((field) => [field, ...withInner(field.inner ?? [])])
}

/** Returns the field of a property with its type; without a schema, a field of any values. */
export function toField(name: string, schema: Schema = {}, isRequired = false): Field {
  const options = [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
  const types = options.flatMap(({ type = [] }) => type)
  const values = options.flatMap((one) => ('const' in one ? [one.const] : (one.enum ?? [])))
  const properties = options.flatMap((one) => Object.entries(one.properties ?? {}))
  const rule = describeRule(schema)
  const items = options.find((one) => one.items)?.items
  return {
    name,
    kind: kindOf(new Set(types.filter((type) => type !== 'null')), values, schema),
    format: options.find(({ format }) => format)?.format ?? '',
    values: values.filter((value) => value !== null),
    isNullable:
      types.includes('null') ||
      values.includes(null) ||
      (types.length === 0 && values.length === 0),
    isRequired,
    isReadOnly: schema.readOnly === true,
    ...(rule !== '' && { rule }),
    ...(items && { item: toField(name, items, true) }),
    ...(properties.length > 0 && {
      inner: properties.map(([key, one]) =>
        toField(`${name}.${key}`, one, schema.required?.includes(key) === true),
      ),
    }),
  }
}

/** What a schema says about values besides their type, in words. */
function describeRule(schema: Schema): string {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  const { minLength, maxLength, pattern, minItems, maxItems } = schema
  const rules: [limit: number | string | undefined, text: string][] = [
    [minimum, `at least ${minimum}`],
    [exclusiveMinimum, `more than ${exclusiveMinimum}`],
    [maximum, `at most ${maximum}`],
    [exclusiveMaximum, `less than ${exclusiveMaximum}`],
    [multipleOf, `a multiple of ${multipleOf}`],
    [minLength, `at least ${minLength} characters`],
    [maxLength, `at most ${maxLength} characters`],
    [pattern, `as ${pattern}`],
    [minItems, `at least ${minItems} items`],
    [maxItems, `at most ${maxItems} items`],
  ]
  return rules.flatMap(([limit, text]) => (limit === undefined ? [] : [text])).join(', ')
}

function kindOf(types: ReadonlySet<string>, values: readonly unknown[], schema: Schema): FieldKind {
  if (values.length > 0) return 'enum'
  if (types.has('object') || types.has('array')) return types.size === 1 ? 'json' : 'any'
  if (types.size === 2 && types.has('integer') && types.has('number')) return 'number'
  if (types.size !== 1) return 'any'
  const [type] = types
  if (type !== 'string') return type as FieldKind
  const { format, maxLength = 0 } = schema
  if (format === 'date' || format === 'date-time') return format
  return maxLength > 120 ? 'text' : 'string'
}
