import {
  type Arrays,
  createArrays,
  createNode,
  createNumbers,
  createObjects,
  createStrings,
  type Field,
  maxFields,
  type StatisticsNode,
  type Numbers,
  type Objects,
  type Strings,
} from './node.ts'
import { mergeSketch } from './sketch.ts'

/**
 * Adds the observations of one node to another. The result is the same as if one node had observed all values,
 * so that the fields of a map can be described as one.
 */
export function mergeNode(into: StatisticsNode, from: StatisticsNode): void {
  into.nulls += from.nulls
  into.trues += from.trues
  into.falses += from.falses
  if (from.numbers) mergeNumbers((into.numbers ??= createNumbers()), from.numbers)
  if (from.strings) mergeStrings((into.strings ??= createStrings()), from.strings)
  if (from.arrays) mergeArrays((into.arrays ??= createArrays()), from.arrays)
  if (from.objects) mergeObjects((into.objects ??= createObjects()), from.objects)
}

function mergeNumbers(into: Numbers, from: Numbers): void {
  into.count += from.count
  into.integers += from.integers
  into.min = Math.min(into.min, from.min)
  into.max = Math.max(into.max, from.max)
  into.decimals = Math.max(into.decimals, from.decimals)
  mergeSketch(into.values, from.values)
}

function mergeStrings(into: Strings, from: Strings): void {
  into.count += from.count
  into.minLength = Math.min(into.minLength, from.minLength)
  into.maxLength = Math.max(into.maxLength, from.maxLength)
  into.totalLength += from.totalLength
  into.formats &= from.formats
  if (into.min === undefined || (from.min !== undefined && from.min < into.min)) into.min = from.min
  if (into.max === undefined || (from.max !== undefined && from.max > into.max)) into.max = from.max
  mergeSketch(into.values, from.values)
}

function mergeArrays(into: Arrays, from: Arrays): void {
  into.count += from.count
  into.minItems = Math.min(into.minItems, from.minItems)
  into.maxItems = Math.max(into.maxItems, from.maxItems)
  into.totalItems += from.totalItems
  mergeNode(into.items, from.items)
}

function mergeObjects(into: Objects, from: Objects): void {
  into.count += from.count
  into.minProperties = Math.min(into.minProperties, from.minProperties)
  into.maxProperties = Math.max(into.maxProperties, from.maxProperties)
  into.totalProperties += from.totalProperties
  for (const field of from.fields.values()) mergeField(into, field)
  if (from.values) mergeNode(toMap(into), from.values)
}

function mergeField(into: Objects, { key, present, node }: Field): void {
  if (into.values) return mergeNode(into.values, node)
  let own = into.fields.get(key)
  if (!own) {
    own = { key, present: 0, node: createNode() }
    into.fields.set(key, own)
  }
  own.present += present
  mergeNode(own.node, node)
  if (into.fields.size > maxFields) toMap(into)
}

/** Merges all fields of objects with too many keys into one node, so that memory stays bounded. */
export function toMap(objects: Objects): StatisticsNode {
  if (objects.values) return objects.values
  const values = createNode()
  for (const { node } of objects.fields.values()) mergeNode(values, node)
  objects.values = values
  objects.fields.clear()
  objects.order.length = 0
  return values
}
