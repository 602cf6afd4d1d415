import { ask } from '../control.ts'
import type { Row } from '../app/state.ts'
import type { Field, FieldKind } from './fields.ts'

/**
 * Fetches the fields of a resource with their types, which the mock describes as a JSON Schema. Returns no
 * fields for a resource that the mock cannot describe.
 */
export async function askFields(name: string): Promise<Field[]> {
  const path = name.split('/').map(encodeURIComponent).join('/')
  const schema = await ask<Schema>(`schema/${path}.json`).catch((): Schema => ({}))
  const { properties = {}, required = [] } = schema
  return Object.entries(properties).map(([key, one]) => toField(key, one, required.includes(key)))
}

/** The part of a JSON Schema that the page reads. */
interface Schema {
  type?: string | string[]
  format?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  readOnly?: boolean
  maxLength?: number
  properties?: Record<string, Schema>
  required?: string[]
}

/** Adds fields that only the records have, such as those of new records. */
export function withFieldsOf(fields: readonly Field[], records: readonly Row[]): Field[] {
  const known = new Set(fields.map(({ name }) => name))
  const added = new Set(records.flatMap((row) => Object.keys(row).filter((key) => !known.has(key))))
  return [...fields, ...Array.from(added, (key) => toField(key, {}, false))]
}

function toField(name: string, schema: Schema, isRequired: boolean): Field {
  const options = [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
  const types = options.flatMap(({ type = [] }) => type)
  const values = options.flatMap((one) => ('const' in one ? [one.const] : (one.enum ?? [])))
  return {
    name,
    kind: kindOf(new Set(types.filter((type) => type !== 'null')), values, schema),
    format: options.find(({ format }) => format)?.format ?? '',
    values: values.filter((value) => value !== null),
    isNullable: types.includes('null') || values.includes(null) || types.length === 0,
    isRequired,
    isReadOnly: schema.readOnly === true,
  }
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
