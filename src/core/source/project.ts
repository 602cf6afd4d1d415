import type { Part } from '../json/documents.ts'
import { define, isRecord, type Json, type JsonRecord } from '../json/json.ts'
import { hash } from '../time/random.ts'
import type { Draw } from '../generate/draw-schema.ts'
import { allowsNull, type Flatten } from '../json/flat-schema.ts'
import { type FlatSchema, isArraySchema, isObjectSchema } from '../json/flat-schema.ts'

/** The functions that all answers need. */
export interface Tools {
  flatten: Flatten
  draw: Draw
  seed: string
}

/**
 * Returns a stored record as a schema shows it: without the fields that only other responses have, and with those
 * that the schema requires. Fields that no schema names stay unless the schema forbids them.
 */
export function project(value: Json, part: Part, whole: Part | undefined, tools: Tools): Json {
  const known = whole && tools.flatten(whole)
  const named = new Set(known ? namesOf(known, tools.flatten) : [])
  return convert(value, part, named, '', tools, 0)
}

/** The names of all members that a schema gives, in its choices too. */
function namesOf(flat: FlatSchema, flatten: Flatten, depth = 0): string[] {
  const inner = depth < 3 ? flat.choices.flatMap(({ parts }) => parts) : []
  return [
    ...flat.properties.keys(),
    ...inner.flatMap((one) => namesOf(flatten(one), flatten, depth + 1)),
  ]
}

function convert(
  value: Json,
  part: Part,
  named: ReadonlySet<string>,
  name: string,
  tools: Tools,
  depth: number,
): Json {
  const flat = choiceOf(value, tools.flatten(part), tools.flatten)
  if (depth > 40) return value
  if (Array.isArray(value)) {
    const { items } = flat
    if (!items || !isArraySchema(flat)) return value
    return value.map((one) => convert(one, items, noNames, name, tools, depth + 1))
  }
  if (!isRecord(value)) return toType(value, flat)
  if (!isObjectSchema(flat)) return depth === 0 ? withoutHidden(value) : value
  const shown: JsonRecord = {}
  for (const [key, inner] of Object.entries(value)) {
    const [property] = flat.properties.get(key) ?? []
    if (property) {
      const limits = tools.flatten(property)
      if (limits.limits['writeOnly'] === true) continue
      if (inner === null && !mayBeNull(limits)) continue
      define(shown, key, convert(inner, property, noNames, key, tools, depth + 1))
      continue
    }
    const isClosed = flat.additionalProperties?.value === false && !flat.patterns
    if (key.startsWith('$') || isClosed || (flat.properties.size > 0 && named.has(key))) continue
    define(shown, key, inner)
  }
  complete(shown, flat, `${tools.seed} ${name} ${idText(value)}`, tools)
  return shown
}

const noNames: ReadonlySet<string> = new Set()

function mayBeNull(flat: FlatSchema): boolean {
  return flat.types === undefined ? flat.choices.length === 0 || allowsNull(flat) : allowsNull(flat)
}

/** Adds the required members that a record lacks. */
export function complete(record: JsonRecord, flat: FlatSchema, seed: string, tools: Tools): void {
  for (const key of flat.required) {
    if (Object.hasOwn(record, key)) continue
    const [property] = flat.properties.get(key) ?? []
    if (!property) {
      if (flat.properties.size > 0) define(record, key, 'value')
      continue
    }
    const { limits } = tools.flatten(property)
    if (limits['writeOnly'] === true) continue
    const fallback = limits['default']
    const isUsable = fallback !== undefined && fallback !== null && typeof fallback !== 'object'
    define(
      record,
      key,
      isUsable
        ? fallback
        : tools.draw(property, { seed: hash(`${seed} ${key}`), name: key, isSparse: true }),
    )
  }
}

/** A record without the keys of its parents that no schema has. */
export function withoutHidden(value: JsonRecord): JsonRecord {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !key.startsWith('$')))
}

function idText(value: JsonRecord): string {
  const id = value['id'] ?? value['$id'] ?? value['name'] ?? ''
  return typeof id === 'object' ? '' : String(id)
}

/** A schema with the choice that fits a value best: the one with the most of its members, and none missing. */
function choiceOf(value: Json, flat: FlatSchema, flatten: Flatten, depth = 0): FlatSchema {
  const [first] = flat.choices
  if (!first || depth > 4) return flat
  const options = first.parts.map((one) => choiceOf(value, flatten(one), flatten, depth + 1))
  const ranked = options.toSorted((a, b) => fitness(value, b) - fitness(value, a))
  const [best] = ranked
  if (!best) return flat
  return {
    ...best,
    types: best.types ?? flat.types,
    properties: new Map([...flat.properties, ...best.properties]),
    required: new Set([...flat.required, ...best.required]),
  }
}

function fitness(value: Json, flat: FlatSchema): number {
  const isObject = isRecord(value)
  const isFitting = isObject
    ? isObjectSchema(flat)
    : Array.isArray(value)
      ? isArraySchema(flat)
      : value === null
        ? allowsNull(flat)
        : !isObjectSchema(flat) && !isArraySchema(flat)
  if (!isFitting) return -1000
  if (!isObject) return 0
  const keys = Object.keys(value)
  const common = keys.filter((key) => flat.properties.has(key)).length
  const missing = [...flat.required].filter((key) => !keys.includes(key)).length
  return common - 2 * missing
}

/** Converts a number and a text into one another where the schema asks for the other. */
function toType(value: string | number | boolean | null, { types }: FlatSchema): Json {
  if (!types || value === null || typeof value === 'boolean') return value
  const wantsNumber = types.has('integer') || types.has('number')
  if (typeof value === 'number') return types.has('string') && !wantsNumber ? String(value) : value
  const isNumber =
    wantsNumber && !types.has('string') && value !== '' && Number.isFinite(Number(value))
  return isNumber ? Number(value) : value
}
