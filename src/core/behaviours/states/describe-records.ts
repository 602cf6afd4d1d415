import { define, ownValue } from '../../json/json.ts'
import type { SchemaObject } from '../../types/json-schema.ts'
import type { FieldDescription, RecordDescription } from '../../types/record-description.ts'
import { hasStates, type State, type States } from './options.ts'

/**
 * Describes the fields that `states` gives meaning to, for schemas, types and the OpenAPI document: the state
 * field, whose values are the states of the table, and the time of a soft deletion.
 */
export function describeStates(own: States): RecordDescription {
  const { field, initial, deletedField } = own
  const fields: [string, FieldDescription][] = []
  if (hasStates(own)) {
    const schema: SchemaObject = {
      ...typeOf(statesOf(own)),
      enum: statesOf(own),
      ...(initial !== undefined && { default: initial }),
    }
    fields.push([field, { schema, isFilled: initial !== undefined }])
  }
  if (deletedField !== undefined) {
    fields.push([deletedField, { schema: { type: ['string', 'null'], format: 'date-time' } }])
  }
  for (const { set = {} } of Object.values(own.actions)) {
    for (const [name, value] of Object.entries(set)) {
      fields.push([name, { values: [{ enum: [value] }] }])
    }
  }
  return { fields: mergeFields(fields) }
}

/**
 * Returns all states, in the order of the table. The keys of the table are strings; the type of a state is
 * known from the values of the table.
 */
function statesOf({ initial, transitions }: States): State[] {
  const values = [...(initial === undefined ? [] : [initial]), ...Object.values(transitions).flat()]
  const areNumbers = values.length > 0 && values.every((state) => typeof state === 'number')
  const states = new Map<string, State>()
  for (const key of Object.keys(transitions)) {
    const typed = values.find((state) => String(state) === key)
    states.set(key, typed ?? (areNumbers ? Number(key) : key))
  }
  for (const state of values) if (!states.has(String(state))) states.set(String(state), state)
  return [...states.values()]
}

function typeOf(states: readonly State[]): SchemaObject {
  const types = [...new Set(states.map((state) => typeof state))]
  return { type: types.length === 1 ? types[0] : types }
}

/** Merges the descriptions of each field, because one field can have several. */
function mergeFields(
  fields: readonly [string, FieldDescription][],
): Record<string, FieldDescription> {
  const merged: Record<string, FieldDescription> = {}
  for (const [name, own] of fields) {
    const before = ownValue(merged, name)
    const values = [...(before?.values ?? []), ...(own.values ?? [])]
    define(merged, name, { ...before, ...own, ...(values.length > 0 && { values }) })
  }
  return merged
}
