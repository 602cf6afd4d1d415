import type { MockContext } from '../http/contract/behaviour.ts'
import type { Embed } from '../query/tree.ts'
import { define, type Json, type JsonRecord } from '../json/json.ts'
import type { SchemaObject } from '../types/json-schema.ts'
import type { FieldDescription } from '../types/record-description.ts'
import { addComputed, type ComputedField } from './computed.ts'
import { createRelatedValues, toViewer } from './related-values.ts'

/** Describes the derived fields of a resource. The types of values that no option decides are those of samples. */
export function describeDerived(
  name: string,
  fields: readonly ComputedField[],
  embeds: readonly Embed[],
  world: MockContext,
): Record<string, FieldDescription> {
  const resource = world.service.resources.get(name)
  const records = resource?.kind === 'collection' ? resource.records().slice(0, MAX_SAMPLES) : []
  const samples = fields.every(({ schema }) => schema) ? [] : sample(name, records, fields, world)
  const described: Record<string, FieldDescription> = {}
  const add = (field: string, schema: SchemaObject): void =>
    define(described, field, { schema: { ...schema, readOnly: true }, isFilled: true })
  for (const { name: relation } of embeds) {
    const link = world.service.links.find(name, relation)
    const isList = records.some((record) => Array.isArray(link?.follow(record)))
    add(
      relation,
      isList ? { type: 'array', items: { type: 'object' } } : { type: ['object', 'null'] },
    )
  }
  for (const { name: field, schema } of fields) {
    add(field, schema ?? typesOf(samples.map((one) => one[field])))
  }
  return described
}

/** How many records are computed to learn the types of their fields. */
const MAX_SAMPLES = 20

/** Computes the fields of some records without a user, and for the first user. */
function sample(
  name: string,
  records: readonly JsonRecord[],
  fields: readonly ComputedField[],
  { service }: MockContext,
): JsonRecord[] {
  const users = service.store.resources.get('users')
  const [user] = users?.kind === 'collection' ? users.records() : []
  const viewer = users && toViewer(user, users)
  return [undefined, viewer].flatMap((one) => {
    const values = createRelatedValues(service, one, () => true)
    return records.map((record) => {
      const copy = { ...record }
      const stored = { value: record, collection: name }
      const exchange = one && user ? { user } : {}
      try {
        addComputed(copy, fields, { stored, exchange, values, present: ({ value }) => value })
      } catch {
        // A request reports the error.
      }
      return copy
    })
  })
}

/** Returns the schema of values by their types; empty if all are null, as others may follow. */
function typesOf(values: readonly (Json | undefined)[]): SchemaObject {
  const types = new Set(values.flatMap((value) => (value === undefined ? [] : typeOf(value))))
  if (types.has('number')) types.delete('integer')
  const isUnknown = [...types].every((type) => type === 'null')
  const [first] = types
  return isUnknown ? {} : { type: types.size === 1 ? first : [...types] }
}

function typeOf(value: Json): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}
