import { inside, type Part } from '../json/documents.ts'
import { define, isRecord, isSame, type Json, type JsonRecord } from '../json/json.ts'
import type { Random } from '../time/random.ts'
import { keysOf } from './document.ts'
import { drawNumber, drawText } from './draw-scalar.ts'
import { type FlatSchema, isArraySchema, isObjectSchema } from './flat-schema.ts'
import type { Flatten } from './views.ts'

/** Draws values that a schema of the document allows: the same for the same random numbers. */
export function createDraw(flatten: Flatten): Draw {
  return (part, options) =>
    draw(part, options.name, { ...options, flatten, open: [], budget: { left: MAX_NESTED } })
}

/** Draws a value of a schema. */
export type Draw = (part: Part, options: DrawOptions) => Json

export interface DrawOptions {
  random: Random
  /** The name of the field that has the value. */
  name: string
  /** Leaves out fields that are not required, and draws null where the schema allows null. */
  isSparse?: boolean
  /** Whether examples of fields are values too. */
  hasExamples?: boolean
  /** Which of several choices comes first. */
  choice?: number
}

interface State extends DrawOptions {
  flatten: Flatten
  /** The schemas around the value, by their identity. */
  open: readonly unknown[]
  /** How many optional fields of nested objects may follow. */
  budget: { left: number }
}

/** The most optional fields in the objects within a value, as some schemas lead to hundreds of others. */
const MAX_NESTED = 60

/** Objects nested deeper than this have their required fields alone. */
const MAX_OPTIONAL = 3

/** Objects nested deeper than this are empty. */
const MAX_DEPTH = 24

function draw(part: Part, name: string, state: State): Json {
  const flat = state.flatten(part)
  const { limits, choices } = flat
  if (limits['const'] !== undefined) return limits['const']
  const isOpen = state.open.includes(flat.identity)
  if (state.isSparse && allowsNull(flat)) return null
  const values = limits['enum']
  if (Array.isArray(values) && values.length > 0) {
    const given = values.filter((one) => one !== null)
    return pick(given.length > 0 ? given : values, state.random)
  }
  const example = state.hasExamples === false ? undefined : exampleOf(flat, name)
  if (example !== undefined) return example
  if (choices.length > 0) return drawChoice(flat, name, state)
  const inner = { ...state, open: [...state.open, flat.identity] }
  const type = typeOf(flat)
  if (type === 'object') return drawObject(flat, inner, isOpen)
  if (type === 'array') return drawArray(flat, name, inner, isOpen)
  return drawScalar(type, flat, name, state.random)
}

function pick<T>(values: readonly T[], random: Random): T {
  return values[Math.floor(random() * values.length)] as T
}

/** Whether the schema allows null; choices count. */
export function allowsNull(flat: FlatSchema): boolean {
  if (flat.types) return flat.types.has('null')
  const values = flat.limits['enum']
  if (Array.isArray(values)) return values.includes(null)
  return flat.choices.some(({ parts }) =>
    parts.some(({ value }) => isRecord(value) && value['type'] === 'null'),
  )
}

/** The type of a value to draw: the first that is not null. */
export function typeOf(flat: FlatSchema): string {
  const types = [...(flat.types ?? [])].filter((type) => type !== 'null')
  if (types[0] !== undefined) return types[0]
  if (flat.types) return flat.types.size > 0 ? 'null' : 'string'
  if (isObjectSchema(flat)) return 'object'
  if (isArraySchema(flat)) return 'array'
  const { limits } = flat
  if (limits['minimum'] !== undefined || limits['maximum'] !== undefined) return 'number'
  const isText = ['pattern', 'format', 'minLength', 'maxLength'].some((one) => one in limits)
  return isText ? 'string' : flat.required.size > 0 ? 'object' : 'string'
}

/** An example of a field that is no id and no container; its records would otherwise all have the same. */
function exampleOf({ limits, types }: FlatSchema, name: string): Json | undefined {
  const { example, examples } = limits
  const given = example ?? (Array.isArray(examples) ? examples[0] : undefined)
  if (given === undefined || given === null || typeof given === 'object') return undefined
  if (/(?:^|[a-z_-])id$|^id|uuid|key$/i.test(name)) return undefined
  const type = typeof given
  const isRight =
    !types || types.has(type) || (types.has('integer') && Number.isInteger(given)) || false
  return isRight && isAllowed(given, limits) ? given : undefined
}

/** Whether a scalar keeps the limits of its schema; formats are left to {@link drawText}. */
function isAllowed(value: string | number | boolean, limits: JsonRecord): boolean {
  const { pattern, minLength = 0, maxLength = Infinity, format } = limits
  if (typeof value === 'string') {
    const { length } = Array.from(value)
    const isLong = length >= Number(minLength) && length <= Number(maxLength)
    if (typeof format === 'string' && !/^(?:password|color|phone|markdown|html)$/.test(format))
      return false
    return isLong && (typeof pattern !== 'string' || new RegExp(pattern, 'u').test(value))
  }
  if (typeof value !== 'number') return true
  const {
    minimum = -Infinity,
    maximum = Infinity,
    exclusiveMinimum,
    exclusiveMaximum,
    multipleOf,
  } = limits
  return (
    value >= Number(minimum) &&
    value <= Number(maximum) &&
    (exclusiveMinimum === undefined || value > Number(exclusiveMinimum)) &&
    (exclusiveMaximum === undefined || value < Number(exclusiveMaximum)) &&
    (multipleOf === undefined || Number.isInteger(value / Number(multipleOf)))
  )
}

/** Draws a value of one choice of `oneOf` or `anyOf`, with what the schema beside the choices asks. */
function drawChoice(flat: FlatSchema, name: string, state: State): Json {
  const [{ parts } = { parts: [] }, ...rest] = flat.choices
  const usable = parts.filter((one) => {
    const inner = state.flatten(one)
    const isNull = inner.types?.size === 1 && inner.types.has('null')
    return !isNull && !inner.isNever && !inner.isBroken
  })
  const closed = usable.filter((one) => !state.open.includes(state.flatten(one).identity))
  const ordered = closed.length > 0 ? closed : usable
  const chosen = ordered[(state.choice ?? 0) % Math.max(ordered.length, 1)]
  if (!chosen) return null
  const merged = mergeFlat({ ...flat, choices: rest }, state.flatten(chosen))
  const value = drawFlat(merged, name, { ...state, open: [...state.open, flat.identity] })
  return withDiscriminator(value, flat, chosen, state.flatten)
}

function drawFlat(flat: FlatSchema, name: string, state: State): Json {
  return draw(flat.part, name, {
    ...state,
    flatten: (part) => (part === flat.part ? flat : state.flatten(part)),
  })
}

/** Joins a schema with the choice that was made. */
function mergeFlat(outer: FlatSchema, chosen: FlatSchema): FlatSchema {
  const properties = new Map(outer.properties)
  for (const [key, parts] of chosen.properties) {
    properties.set(key, [...parts, ...(properties.get(key) ?? [])])
  }
  return {
    ...outer,
    ...chosen,
    part: {
      value: { ...(isRecord(chosen.part.value) && chosen.part.value) },
      uri: chosen.part.uri,
    },
    types: chosen.types ?? outer.types,
    properties,
    required: new Set([...outer.required, ...chosen.required]),
    choices: [...chosen.choices, ...outer.choices],
    limits: { ...outer.limits, ...chosen.limits },
    entity: chosen.entity,
    identity: chosen.identity,
  }
}

/** Sets the member that says which choice was made (OpenAPI 3.1 §4.8.25). */
function withDiscriminator(value: Json, flat: FlatSchema, chosen: Part, flatten: Flatten): Json {
  const name = flat.discriminator && inside(flat.discriminator, 'propertyName').value
  if (!flat.discriminator || typeof name !== 'string' || !isRecord(value)) return value
  const [property] = flatten(chosen).properties.get(name) ?? []
  const own = property && flatten(property).limits
  if (own && (own['const'] !== undefined || Array.isArray(own['enum']))) return value
  const mapping = inside(flat.discriminator, 'mapping')
  const uri = flatten(chosen).entity ?? chosen.uri
  const last = uri.slice(uri.lastIndexOf('/') + 1)
  const mapped = keysOf(mapping).find((key) => {
    const target = String(inside(mapping, key).value)
    return target === uri || target === last
  })
  return { ...value, [name]: mapped ?? last }
}

function drawObject(flat: FlatSchema, state: State, isOpen: boolean): JsonRecord {
  const drawn: JsonRecord = {}
  const depth = state.open.length
  if (depth > MAX_DEPTH) return drawn
  const { budget } = state
  const hasOptional = !state.isSparse && !isOpen && depth <= MAX_OPTIONAL
  for (const [key, parts] of flat.properties) {
    const isRequired = flat.required.has(key)
    if (!isRequired && (!hasOptional || (depth > 1 && budget.left-- <= 0))) continue
    const [first] = parts
    if (!first) continue
    const inner = parts.length === 1 ? state.flatten(first) : mergeAll(parts, state.flatten)
    if (inner.limits['writeOnly'] === true || inner.isNever || inner.isBroken) continue
    const isCycle = state.open.includes(inner.identity)
    if (!isRequired && isCycle) continue
    const value = isCycle && allowsNull(inner) ? null : drawFlat(inner, key, state)
    define(drawn, key, value)
  }
  for (const key of flat.required) {
    if (Object.hasOwn(drawn, key) || flat.properties.has(key)) continue
    const { additionalProperties } = flat
    const value = additionalProperties ? draw(additionalProperties, key, state) : 'value'
    define(drawn, key, value)
  }
  addMapEntries(drawn, flat, state, hasOptional)
  return drawn
}

function mergeAll(parts: readonly Part[], flatten: Flatten): FlatSchema {
  const [first, ...rest] = parts.map(flatten)
  return rest.reduce((merged, one) => mergeFlat(one, merged), first as FlatSchema)
}

function addMapEntries(
  drawn: JsonRecord,
  { additionalProperties, properties, limits }: FlatSchema,
  state: State,
  hasOptional: boolean,
): void {
  const isMap = isRecord(additionalProperties?.value) && properties.size === 0 && hasOptional
  const least = Math.max(Number(limits['minProperties'] ?? 0), isMap ? 2 : 0)
  const most = Number(limits['maxProperties'] ?? Infinity)
  for (let at = 1; Object.keys(drawn).length < Math.min(least, most); at++) {
    const key = `key${at}`
    if (additionalProperties?.value === false) return
    define(drawn, key, additionalProperties ? draw(additionalProperties, key, state) : 'value')
  }
}

function drawArray(flat: FlatSchema, name: string, state: State, isOpen: boolean): Json[] {
  const { limits, items, prefix } = flat
  const least = Number(limits['minItems'] ?? 0)
  const most = Number(limits['maxItems'] ?? Infinity)
  const isShort = state.isSparse === true || isOpen || state.open.length > MAX_OPTIONAL
  const itemOpen = items && state.open.includes(state.flatten(items).identity)
  const wanted = isShort || itemOpen ? least : Math.max(least, 1 + Math.floor(state.random() * 2))
  const count = state.open.length > MAX_DEPTH ? 0 : Math.min(wanted, most, 1000)
  const drawn: Json[] = []
  for (let at = 0, tries = 0; drawn.length < count && tries < count * 20; at++, tries++) {
    const schema = prefix?.[drawn.length] ?? items
    const value = schema
      ? draw(schema, name.replace(/s$/, ''), { ...state, choice: (state.choice ?? 0) + at })
      : 'value'
    const isTaken = limits['uniqueItems'] === true && drawn.some((one) => isSame(one, value))
    if (!isTaken) drawn.push(value)
  }
  return drawn
}

function drawScalar(type: string, flat: FlatSchema, name: string, random: Random): Json {
  if (type === 'boolean') return random() < 0.5
  if (type === 'null') return null
  if (type === 'string') return drawText(flat.limits, name, random)
  return drawNumber(flat.limits, name, random, type === 'integer')
}
