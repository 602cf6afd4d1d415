import { define } from '../../json/json.ts'
import { formatIn, isDataKey } from '../formats.ts'
import {
  type Arrays,
  createNode,
  mergeNode,
  type Numbers,
  type Objects,
  type StatisticsNode,
  type Strings,
} from '../observe/node.ts'
import { allHashes, countDistinct, type Sketch } from '../observe/sketch.ts'
import type {
  ArrayStatistics,
  FieldStatistics,
  NumberStatistics,
  ObjectStatistics,
  Statistics,
  StringStatistics,
  ValueStatistics,
} from '../statistics.ts'

/** Converts a node to plain data; records are a map only if they have too many keys. */
export function toStatistics(node: StatisticsNode, isRecord = false): Statistics {
  const { nulls, trues, falses, numbers, strings, arrays, objects } = node
  const booleans = trues + falses
  const counts = [numbers, strings, arrays, objects].map((one) => one?.count ?? 0)
  return {
    count: counts.reduce((sum, count) => sum + count, nulls + booleans),
    nulls,
    ...(booleans > 0 && { booleans: { true: trues, false: falses } }),
    ...(numbers && { numbers: fromNumbers(numbers) }),
    ...(strings && { strings: fromStrings(strings) }),
    ...(arrays && { arrays: fromArrays(arrays) }),
    ...(objects && { objects: fromObjects(objects, isRecord) }),
  }
}

function fromNumbers({ values, ...numbers }: Numbers): NumberStatistics {
  return { ...numbers, values: fromSketch(values) }
}

function fromStrings(strings: Strings): StringStatistics {
  const { count, minLength, maxLength, totalLength, formats, min, max, values } = strings
  const frequencies = fromSketch(values)
  const format = formatIn(formats)
  const isSupported =
    format?.supports?.(frequencies.frequencies.map(([value]) => value)) ?? format !== undefined
  return {
    count,
    minLength,
    maxLength,
    meanLength: totalLength / count,
    ...(format && isSupported && { format: format.name }),
    ...(format?.isTemporal === true && min !== undefined && max !== undefined && { min, max }),
    values: frequencies,
  }
}

function fromArrays({ count, minItems, maxItems, totalItems, items }: Arrays): ArrayStatistics {
  return { count, minItems, maxItems, meanItems: totalItems / count, items: toStatistics(items) }
}

function fromObjects(objects: Objects, isRecord: boolean): ObjectStatistics {
  const { count, minProperties, maxProperties, totalProperties } = objects
  return {
    count,
    minProperties,
    maxProperties,
    meanProperties: totalProperties / count,
    ...(objects.values || (!isRecord && isMap(objects))
      ? { values: toStatistics(valuesOf(objects)) }
      : { fields: fromFields(objects) }),
  }
}

function fromFields({ fields }: Objects): Record<string, FieldStatistics> {
  const described: Record<string, FieldStatistics> = {}
  for (const { key, present, node } of fields.values()) {
    define(described, key, { present, ...toStatistics(node) })
  }
  return described
}

function valuesOf({ values, fields }: Objects): StatisticsNode {
  if (values) return values
  const merged = createNode()
  for (const { node } of fields.values()) mergeNode(merged, node)
  return merged
}

function fromSketch<T extends string | number>(sketch: Sketch<T>): ValueStatistics<T> {
  const frequencies = Array.from(sketch.entries, ([value, { count }]): [T, number] => [
    value,
    count,
  ])
  frequencies.sort(([a, times], [b, others]) => others - times || (a < b ? -1 : 1))
  return {
    distinct: countDistinct(sketch),
    isUnique: frequencies.length > 1 && frequencies[0]?.[1] === 1,
    isSample: sketch.limit < allHashes,
    frequencies,
  }
}

/**
 * Whether the objects at one place of the data are maps, whose keys are data, rather than records, whose keys
 * are names of fields. All values of a map are of one kind. In addition, all keys are data (ids, dates,
 * numbers), or there are more than 60 keys, or there are 10 or more and an object has at most a third of the
 * keys on average.
 */
function isMap({ values, fields, count, totalProperties }: Objects): boolean {
  if (values) return true
  const keys = fields.size
  if (keys === 0) return false
  const { manyKeys, sparseKeys, sparseShare } = evidence
  const isSparse = keys >= sparseKeys && totalProperties <= count * keys * sparseShare
  const isLikely = keys > manyKeys || isSparse || [...fields.keys()].every(isDataKey)
  return isLikely && new Set(kindsIn(fields.values())).size <= 1
}

const evidence = {
  /** Objects with more keys than this are a map, even if all objects have the same keys. */
  manyKeys: 60,
  /** Sparse objects are a map if they have at least this many keys together... */
  sparseKeys: 10,
  /** ...and an object has at most this share of the keys on average. */
  sparseShare: 1 / 3,
}

function* kindsIn(fields: Iterable<{ node: StatisticsNode }>): Generator<string> {
  for (const { node } of fields) {
    const kinds = [
      node.trues + node.falses > 0 && 'boolean',
      node.numbers && 'number',
      node.strings && 'string',
      node.arrays && 'array',
      node.objects && 'object',
    ].filter(Boolean)
    if (kinds.length > 0) yield kinds.join(' ')
  }
}
