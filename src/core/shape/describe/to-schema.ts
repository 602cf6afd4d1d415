import { define } from '../../json/json.ts'
import { inferredFormats } from '../formats.ts'
import type {
  ArrayStatistics,
  NumberStatistics,
  ObjectStatistics,
  Statistics,
  StringStatistics,
} from '../statistics.ts'
import type { SchemaObject } from '../../types/json-schema.ts'
import { type Place, toAnyValue, toElement } from '../place.ts'
import { isEnum } from './is-enum.ts'

/**
 * Derives a JSON Schema (2020-12) with claims that the values give evidence for. `referenceAt` returns the
 * collection whose ids the values at a place are; these are no enum.
 */
export function toSchema(
  statistics: Statistics,
  referenceAt: (place: Place) => string | undefined = () => undefined,
  place: Place = [],
): SchemaObject {
  const { count, nulls, booleans, numbers, strings, arrays, objects } = statistics
  // Values that are all null say nothing of the others.
  if (count === nulls) return {}
  const inner = (step: string, value: Statistics): SchemaObject =>
    toSchema(value, referenceAt, [...place, step])
  const to = referenceAt(place)
  const isOpen = numbers !== undefined || booleans !== undefined || to !== undefined
  const kinds: SchemaObject[] = [
    ...(objects ? [fromObjects(objects, inner)] : []),
    ...(arrays ? [fromArrays(arrays, inner)] : []),
    ...(strings ? [fromStrings(strings, isOpen)] : []),
    ...(numbers ? [fromNumbers(numbers)] : []),
    ...(booleans ? [{ type: 'boolean' }] : []),
  ]
  const schema = nulls > 0 ? withNull(unite(kinds)) : unite(kinds)
  if (to === undefined) return schema
  return { ...schema, description: `The id of a record of \`${to}\`.`, 'x-references': to }
}

/** Unites schemas of different kinds: in one `type` if none is an object or array, otherwise in `anyOf`. */
function unite(kinds: readonly SchemaObject[]): SchemaObject {
  const [first = {}, ...others] = kinds
  if (others.length === 0) return first
  if (kinds.some(({ type }) => type === 'object' || type === 'array')) return { anyOf: kinds }
  const types = kinds.map(({ type }) => type)
  return Object.assign({}, ...kinds, { type: types }) as SchemaObject
}

function withNull(schema: SchemaObject): SchemaObject {
  const { type, anyOf, enum: values } = schema
  if (Array.isArray(anyOf)) return { anyOf: [...(anyOf as unknown[]), { type: 'null' }] }
  const types = [type, 'null'].flat()
  return {
    ...schema,
    type: types,
    ...(Array.isArray(values) && { enum: [...(values as unknown[]), null] }),
  }
}

function fromNumbers({ count, integers }: NumberStatistics): SchemaObject {
  return { type: integers === count ? 'integer' : 'number' }
}

function fromStrings(strings: StringStatistics, isOpen: boolean): SchemaObject {
  const format = inferredFormats.find(({ name }) => name === strings.format)
  if (format && strings.values.distinct >= format.evidence) {
    const { name, pattern } = format
    return { type: 'string', ...(pattern === undefined ? { format: name } : { pattern }) }
  }
  if (isOpen || !isEnum(strings)) return { type: 'string' }
  const values = strings.values.frequencies.map(([value]) => value)
  return { type: 'string', enum: values.toSorted((a, b) => (a < b ? -1 : 1)) }
}

type Inner = (step: string, value: Statistics) => SchemaObject

function fromArrays({ items }: ArrayStatistics, inner: Inner): SchemaObject {
  return items.count === 0 ? { type: 'array' } : { type: 'array', items: inner(toElement, items) }
}

function fromObjects({ count, fields, values }: ObjectStatistics, inner: Inner): SchemaObject {
  if (values) return { type: 'object', additionalProperties: inner(toAnyValue, values) }
  const entries = Object.entries(fields ?? {})
  if (entries.length === 0) return { type: 'object' }
  const properties: Record<string, SchemaObject> = {}
  for (const [key, value] of entries) define(properties, key, inner(key, value))
  const required = entries.filter(([, { present }]) => present === count).map(([key]) => key)
  return { type: 'object', properties, ...(required.length > 0 && { required }) }
}
