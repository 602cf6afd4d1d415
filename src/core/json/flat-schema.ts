import { elementsOf, inside, keysOf, type Part } from './documents.ts'
import { isRecord, type Json, type JsonRecord } from './json.ts'
import { scalarText } from './scalar-text.ts'

/**
 * Reads a schema with all that applies to the same value: the targets of `$ref` and the members of `allOf` as
 * one, and the choices of `oneOf` and `anyOf` apart. Looks no deeper than the members of the value.
 */
export function createFlatten(follow: (part: Part) => Part | undefined): Flatten {
  const known = new WeakMap<object, FlatSchema>()

  return (part) => {
    if (!isRecord(part.value)) return empty(part, part.value === false)
    const found = known.get(part.value)
    if (found) return found
    const flat = empty(part, false)
    known.set(part.value, flat)
    add(flat, part, new Set())
    // Many documents have the choices of the elements at the list.
    const { types, limits } = flat
    const values = types && Array.isArray(limits['enum']) ? limits['enum'] : undefined
    if (types && values && !values.some((one) => isOfTypes(one, types))) flat.isNever = true
    dropClosed(flat)
    return flat
  }

  function add(flat: FlatSchema, part: Part, visited: Set<unknown>): void {
    const { value } = part
    if (value === false) flat.isNever = true
    if (!isRecord(value) || visited.has(value)) return
    visited.add(value)
    if (typeof value['$ref'] === 'string') {
      const target = follow(part)
      if (!target) flat.isBroken = true
      else {
        if (flat.entity === undefined) flat.identity = flat.entity = target.uri
        add(flat, target, visited)
      }
    }
    const { type } = value
    if (type !== undefined) flat.types = commonTypes(flat.types, new Set([type].flat().map(String)))
    for (const key of keysOf(inside(part, 'properties'))) {
      const property = inside(inside(part, 'properties'), key)
      flat.properties.set(key, [...(flat.properties.get(key) ?? []), property])
    }
    for (const name of asList(value['required'])) flat.required.add(scalarText(name))
    for (const key of ['items', 'additionalProperties', 'propertyNames'] as const) {
      if (value[key] !== undefined) flat[key] = inside(part, key)
    }
    if (value['additionalProperties'] === false && value['patternProperties'] === undefined) {
      const allowed = new Set(keysOf(inside(part, 'properties')))
      flat.allowed = flat.allowed
        ? new Set([...allowed].filter((key) => flat.allowed?.has(key)))
        : allowed
    }
    if (value['patternProperties'] !== undefined) flat.patterns = inside(part, 'patternProperties')
    if (value['prefixItems'] !== undefined) flat.prefix = elementsOf(inside(part, 'prefixItems'))
    for (const keyword of keywords) addKeyword(flat, keyword, value[keyword])
    for (const one of elementsOf(inside(part, 'allOf'))) add(flat, one, visited)
    for (const key of ['oneOf', 'anyOf']) {
      const choices = elementsOf(inside(part, key))
      if (choices.length > 0) flat.choices.push({ parts: choices, isOne: key === 'oneOf' })
    }
    if (isRecord(value['discriminator'])) flat.discriminator = inside(part, 'discriminator')
  }
}

/** Removes the members that another schema of `allOf` forbids, unless one of them is required. Changes its argument. */
function dropClosed({ allowed, properties, required }: FlatSchema): void {
  if (!allowed || [...required].some((key) => !allowed.has(key))) return
  for (const key of properties.keys()) if (!allowed.has(key)) properties.delete(key)
}

/** Reads a schema as {@link createFlatten} does; the same schema gives the same object. */
export type Flatten = (part: Part) => FlatSchema

/** A schema as {@link createFlatten} reads it. */
export interface FlatSchema {
  part: Part
  /** The URI of the named schema that the value has; undefined for a schema without a name. */
  entity: string | undefined
  /** The same for the same named schema, to find schemas that contain themselves. */
  identity: unknown
  /** The types that all parts allow; undefined for any. */
  types: ReadonlySet<string> | undefined
  /** The schemas of each member: all of them apply. */
  properties: Map<string, Part[]>
  required: Set<string>
  /** The members that every closed schema of `allOf` names; undefined if none is closed. */
  allowed?: ReadonlySet<string>
  items?: Part
  prefix?: Part[]
  additionalProperties?: Part
  propertyNames?: Part
  patterns?: Part
  choices: { parts: Part[]; isOne: boolean }[]
  discriminator?: Part
  /** The keywords that limit values, with the strictest value of all parts. */
  limits: JsonRecord
  /** Whether no value is valid. */
  isNever: boolean
  /** Whether a `$ref` leads nowhere. */
  isBroken: boolean
}

function empty(part: Part, isNever: boolean): FlatSchema {
  return {
    part,
    entity: undefined,
    identity: part.value,
    types: undefined,
    properties: new Map(),
    required: new Set(),
    choices: [],
    limits: {},
    isNever,
    isBroken: false,
  }
}

const keywords =
  'const enum format pattern example examples default multipleOf minimum exclusiveMinimum minLength minItems minProperties maximum exclusiveMaximum maxLength maxItems maxProperties uniqueItems readOnly writeOnly contains not x-fixtura'.split(
    ' ',
  )

function addKeyword(flat: FlatSchema, keyword: string, value: Json | undefined): void {
  if (value === undefined) return
  const { limits } = flat
  const known = limits[keyword]
  if (known === undefined) limits[keyword] = value
  else if (keyword === 'enum' && Array.isArray(known) && Array.isArray(value)) {
    limits[keyword] = known.filter((one) => value.includes(one))
  } else if (typeof known === 'number' && typeof value === 'number') {
    if (/^(?:min|exclusiveMin)/.test(keyword)) limits[keyword] = Math.max(known, value)
    if (/^(?:max|exclusiveMax)/.test(keyword)) limits[keyword] = Math.min(known, value)
  }
}

/** The types that two schemas allow together; an integer is a number too. */
export function commonTypes(one: Types, other: Types): Types {
  if (!one || !other) return one ?? other
  const isIn = (types: ReadonlySet<string>, type: string): boolean =>
    types.has(type) || (type === 'integer' && types.has('number'))
  return new Set([...one, ...other].filter((type) => isIn(one, type) && isIn(other, type)))
}

type Types = FlatSchema['types']

/** Whether a value has one of some types. */
export function isOfTypes(value: Json, types: ReadonlySet<string>): boolean {
  if (typeof value === 'number')
    return types.has('number') || (types.has('integer') && Number.isInteger(value))
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  return types.has(type)
}

function asList(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : []
}

/** Whether values of a schema are objects, for all that the schema says. */
export function isObjectSchema({ types, properties, additionalProperties }: FlatSchema): boolean {
  return types ? types.has('object') : properties.size > 0 || additionalProperties !== undefined
}

/** Whether values of a schema are arrays. */
export function isArraySchema({ types, items, prefix }: FlatSchema): boolean {
  return types ? types.has('array') : items !== undefined || prefix !== undefined
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
export function valueTypeOf(flat: FlatSchema): string {
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

/** A schema as that of an object: itself, or the first choice that is an object. */
export function objectOf(part: Part, flatten: Flatten, depth = 0): FlatSchema | undefined {
  const flat = flatten(part)
  if (flat.properties.size > 0) return flat
  for (const { parts } of depth < 4 ? flat.choices : []) {
    for (const one of parts) {
      const found = objectOf(one, flatten, depth + 1)
      if (found && found.properties.size > 0) return found
    }
  }
  return isObjectSchema(flat) ? flat : undefined
}

/** Joins a schema with another that applies to the same value, such as a choice of `oneOf`. */
export function mergeFlat(outer: FlatSchema, chosen: FlatSchema): FlatSchema {
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
    types: commonTypes(outer.types, chosen.types),
    properties,
    required: new Set([...outer.required, ...chosen.required]),
    choices: [...chosen.choices, ...outer.choices],
    limits: { ...outer.limits, ...chosen.limits },
    entity: chosen.entity,
    identity: chosen.identity,
  }
}
