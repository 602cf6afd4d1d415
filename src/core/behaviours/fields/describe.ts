import type { FieldDescription, RecordDescription } from '../../types/record-description.ts'
import type { SchemaObject } from '../../types/json-schema.ts'
import type { FieldOptions } from './options.ts'
import { type Timestamps, toTimestamps } from './timestamps.ts'

/** Describes the fields that the options of `fields` name, for schemas, types and the OpenAPI document. */
export function describeFields(options: FieldOptions): RecordDescription {
  const { required = [], defaults = {}, readOnly = [], unique = [], timestamps } = options
  const fields = new Map<string, FieldDescription>()
  const add = (name: string, { schema, ...rest }: FieldDescription): void => {
    const before = fields.get(name)
    fields.set(name, { ...before, ...rest, schema: { ...before?.schema, ...schema } })
  }
  for (const name of required) add(name, { isRequired: true })
  for (const [name, value] of Object.entries(defaults)) {
    const schema = typeof value === 'function' ? {} : { default: value }
    add(name, { schema, isFilled: true })
  }
  const { createdAt, updatedAt, as } = toTimestamps(timestamps)
  for (const name of [createdAt, updatedAt]) {
    if (name !== false) add(name, { schema: { ...times[as], readOnly: true }, isFilled: true })
  }
  for (const name of readOnly) add(name, { schema: { readOnly: true } })
  return {
    fields: Object.fromEntries(fields),
    unique: unique.map((group) => (typeof group === 'string' ? [group] : group)),
  }
}

/** The schema of a timestamp in each format. */
const times: Readonly<Record<NonNullable<Timestamps['as']>, SchemaObject>> = {
  iso: { type: 'string', format: 'date-time' },
  seconds: { type: 'integer' },
  milliseconds: { type: 'integer' },
}
