import { formatsOf, temporalFormats } from '../formats.ts'
import {
  createArrays,
  createNode,
  createNumbers,
  createObjects,
  createStrings,
  type Field,
  maxDecimals,
  maxFields,
  type Numbers,
  type Objects,
  type StatisticsNode,
  type Strings,
  toMap,
} from './node.ts'
import { addValue } from './sketch.ts'

/** Collects statistics of values by type in one pass, in linear time and bounded memory. */
export function observeAll(values: Iterable<unknown>): StatisticsNode {
  const node = createNode()
  for (const value of values) observe(node, value)
  return node
}

/** Adds a value to the statistics of a node. */
export function observe(node: StatisticsNode, value: unknown): void {
  switch (typeof value) {
    case 'string':
      return addText((node.strings ??= createStrings()), value)
    case 'number':
      return addNumber((node.numbers ??= createNumbers()), value)
    case 'boolean':
      if (value) node.trues++
      else node.falses++
      return
    case 'object':
      if (value === null) node.nulls++
      else if (Array.isArray(value)) addArray(node, value)
      else addObject((node.objects ??= createObjects()), value as Record<string, unknown>)
  }
}

function addText(strings: Strings, text: string): void {
  const { length } = text
  strings.count++
  strings.totalLength += length
  if (length < strings.minLength) strings.minLength = length
  if (length > strings.maxLength) strings.maxLength = length
  if (strings.formats !== 0) {
    strings.formats = formatsOf(text, strings.formats)
    if ((strings.formats & temporalFormats) !== 0) addTime(strings, text)
  }
  addValue(strings.values, text)
}

function addTime(strings: Strings, text: string): void {
  if (strings.min === undefined || text < strings.min) strings.min = text
  if (strings.max === undefined || text > strings.max) strings.max = text
}

function addNumber(numbers: Numbers, value: number): void {
  numbers.count++
  if (value < numbers.min) numbers.min = value
  if (value > numbers.max) numbers.max = value
  if (Number.isInteger(value)) numbers.integers++
  else if (numbers.decimals < maxDecimals && !hasDecimals(value, numbers.decimals)) {
    numbers.decimals = countDecimals(value)
  }
  addValue(numbers.values, value)
}

function hasDecimals(value: number, decimals: number): boolean {
  const scale = 10 ** decimals
  return Math.round(value * scale) / scale === value
}

function countDecimals(value: number): number {
  let decimals = 1
  while (decimals < maxDecimals && !hasDecimals(value, decimals)) decimals++
  return decimals
}

function addArray(node: StatisticsNode, values: readonly unknown[]): void {
  const arrays = (node.arrays ??= createArrays())
  const { length } = values
  arrays.count++
  arrays.totalItems += length
  if (length < arrays.minItems) arrays.minItems = length
  if (length > arrays.maxItems) arrays.maxItems = length
  for (let index = 0; index < length; index++) observe(arrays.items, values[index])
}

function addObject(objects: Objects, value: Readonly<Record<string, unknown>>): void {
  const { order } = objects
  let keyCount = 0
  for (const key in value) {
    const inner = value[key]
    // A module can export undefined, which JSON leaves out.
    if (inner === undefined) continue
    if (objects.values === undefined) {
      let field = order[keyCount]
      if (field === undefined || field.key !== key) {
        field = fieldOf(objects, key)
        order[keyCount] = field
      }
      field.present++
      observe(field.node, inner)
      if (objects.fields.size > maxFields) toMap(objects)
    } else observe(objects.values, inner)
    keyCount++
  }
  objects.count++
  objects.totalProperties += keyCount
  if (keyCount < objects.minProperties) objects.minProperties = keyCount
  if (keyCount > objects.maxProperties) objects.maxProperties = keyCount
}

function fieldOf({ fields }: Objects, key: string): Field {
  const existing = fields.get(key)
  if (existing !== undefined) return existing
  const field: Field = { key, present: 0, node: createNode() }
  fields.set(key, field)
  return field
}
