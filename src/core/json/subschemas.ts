import { define, isRecord, type JsonRecord } from './json.ts'

/** Lists the schemas directly within a JSON Schema, such as those in `properties`; ignores values of the wrong type. */
export function subschemasOf(schema: JsonRecord): Subschema[] {
  const [holdsOne, holdsList, holdsMap] = holders
  return Object.entries(schema).flatMap(([name, value]): Subschema[] => {
    if (Array.isArray(value)) {
      return holdsList?.has(name) ? value.map((one, at) => [[name, at], one]) : []
    }
    if (!isRecord(value)) return []
    if (holdsOne?.has(name)) return [[[name], value]]
    return holdsMap?.has(name)
      ? Object.entries(value).map(([key, one]): Subschema => [[name, key], one])
      : []
  })
}

/** A schema within another, and the keys that lead to it: `['properties', 'title']`. */
export type Subschema = readonly [steps: readonly (string | number)[], schema: unknown]

/** Returns a copy of a JSON Schema, in which `convert` has replaced each schema directly within. */
export function mapSubschemas(
  schema: JsonRecord,
  convert: (subschema: unknown) => unknown,
): Record<string, unknown> {
  const [holdsOne, holdsList, holdsMap] = holders
  const converted: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(schema)) {
    const isList = Array.isArray(value) && holdsList?.has(name)
    const isMap = isRecord(value) && holdsMap?.has(name)
    if (isList) define(converted, name, value.map(convert))
    else if (isMap) define(converted, name, mapValues(value, convert))
    else define(converted, name, holdsOne?.has(name) ? convert(value) : value)
  }
  return converted
}

/** The keywords whose value is one schema, a list of schemas, or a map with schemas as values. */
const single =
  'additionalItems additionalProperties contains contentSchema else if items not propertyNames then unevaluatedItems unevaluatedProperties'
const lists = 'allOf anyOf items oneOf prefixItems'
const maps = '$defs definitions dependencies dependentSchemas patternProperties properties'

const holders = [single, lists, maps].map((names) => new Set(names.split(' ')))

function mapValues(
  values: JsonRecord,
  convert: (value: unknown) => unknown,
): Record<string, unknown> {
  const converted: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(values)) define(converted, key, convert(value))
  return converted
}

const keywords = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else']

/** Lists the values of the keywords whose schemas apply to the same value (JSON Schema Core §10.2). */
export function inPlaceSubschemas(schema: JsonRecord): unknown[] {
  const { dependentSchemas } = schema
  const dependents = isRecord(dependentSchemas) ? Object.values(dependentSchemas) : []
  return [...keywords.map((keyword) => schema[keyword]), ...dependents].flat()
}
