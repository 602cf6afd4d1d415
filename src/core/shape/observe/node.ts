import { allFormats } from '../formats.ts'
import type {
  ArrayStatistics,
  NumberStatistics,
  ObjectStatistics,
  StringStatistics,
} from '../statistics.ts'
import { createSketch, hashNumber, hashText, mergeSketch, type Sketch } from './sketch.ts'

/** Counts, ranges and samples of the values at one place by kind, of bounded size, whatever the number of values. */
export interface StatisticsNode {
  nulls: number
  trues: number
  falses: number
  numbers: Numbers | undefined
  strings: Strings | undefined
  arrays: Arrays | undefined
  objects: Objects | undefined
}

/** The numbers at a place. */
export interface Numbers extends Omit<NumberStatistics, 'values'> {
  readonly values: Sketch<number>
}

/** The texts at a place. */
export interface Strings extends Pick<StringStatistics, 'count' | 'minLength' | 'maxLength'> {
  totalLength: number
  /** The mask of the formats that all texts so far have. */
  formats: number
  /** The least and the greatest text by code unit, while all texts are dates or times. */
  min: string | undefined
  max: string | undefined
  readonly values: Sketch<string>
}

/** The arrays at a place. */
export interface Arrays extends Omit<ArrayStatistics, 'meanItems' | 'items'> {
  totalItems: number
  readonly items: StatisticsNode
}

/** The objects at a place. */
export interface Objects extends Omit<ObjectStatistics, 'meanProperties' | 'fields' | 'values'> {
  totalProperties: number
  /** The fields in the order of their first appearance; empty once there are too many. */
  readonly fields: Map<string, Field>
  /** The fields of the last object in its order: the next object mostly has the same. */
  readonly order: Field[]
  /** The values of all keys, once there are more than {@link maxFields}. */
  values: StatisticsNode | undefined
}

/** A field of the objects at a place. */
export interface Field {
  readonly key: string
  present: number
  readonly node: StatisticsNode
}

/** An object with more different keys is a map in any case. */
export const maxFields = 512

/** The most digits after the decimal point that are counted. */
export const maxDecimals = 10

/** Creates a node without observations. */
export function createNode(): StatisticsNode {
  return {
    nulls: 0,
    trues: 0,
    falses: 0,
    numbers: undefined,
    strings: undefined,
    arrays: undefined,
    objects: undefined,
  }
}

export function createNumbers(): Numbers {
  return {
    count: 0,
    integers: 0,
    min: Infinity,
    max: -Infinity,
    decimals: 0,
    values: createSketch(hashNumber),
  }
}

export function createStrings(): Strings {
  return {
    count: 0,
    minLength: Infinity,
    maxLength: 0,
    totalLength: 0,
    formats: allFormats,
    min: undefined,
    max: undefined,
    values: createSketch(hashText),
  }
}

export function createArrays(): Arrays {
  return { count: 0, minItems: Infinity, maxItems: 0, totalItems: 0, items: createNode() }
}

export function createObjects(): Objects {
  return {
    count: 0,
    minProperties: Infinity,
    maxProperties: 0,
    totalProperties: 0,
    fields: new Map(),
    order: [],
    values: undefined,
  }
}

/** Adds the observations of a node to another, as if one node had observed all values. */
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
