import { allFormats } from '../formats.ts'
import { hashNumber, hashText } from './hash.ts'
import { createSketch, type Sketch } from './sketch.ts'

/**
 * Counts, ranges and samples of the values at one place of the data, such as a field of all records, by kind of
 * value. `observe` adds values to a node, and `toStatistics` converts a node to plain data. The size of a node
 * is bounded, whatever the number of values.
 */
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
export interface Numbers {
  count: number
  integers: number
  min: number
  max: number
  /** The most digits after the decimal point, up to {@link maxDecimals}. */
  decimals: number
  readonly values: Sketch<number>
}

/** The texts at a place. Lengths are in UTF-16 code units. */
export interface Strings {
  count: number
  minLength: number
  maxLength: number
  totalLength: number
  /** The mask of the formats that all texts so far have. */
  formats: number
  /** The least and the greatest text by code unit, while all texts are dates or times. */
  min: string | undefined
  max: string | undefined
  readonly values: Sketch<string>
}

/** The arrays at a place. */
export interface Arrays {
  count: number
  minItems: number
  maxItems: number
  totalItems: number
  /** The elements of all arrays. */
  readonly items: StatisticsNode
}

/** The objects at a place. */
export interface Objects {
  count: number
  minProperties: number
  maxProperties: number
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
  /** The number of objects with the field. */
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
