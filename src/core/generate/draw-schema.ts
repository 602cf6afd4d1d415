import { inside, keysOf, type Part } from '../json/documents.ts'
import {
  allowsNull,
  commonTypes,
  type Flatten,
  type FlatSchema,
  isOfTypes,
  mergeFlat,
  valueTypeOf,
} from '../json/flat-schema.ts'
import { define, isRecord, isSame, type Json, type JsonRecord } from '../json/json.ts'
import { scalarText } from '../json/scalar-text.ts'
import { createRandom, hash } from '../time/random.ts'
import { agree } from './agree.ts'
import { isKnownName } from './by-name.ts'
import { pick } from './draw.ts'
import { drawFormat, drawNumber, drawText, isAllowed } from './draw-scalar.ts'
import { englishWords, type WordList } from './words.ts'

/**
 * Creates the function that draws values by their JSON Schema (2020-12), with `$ref`, `allOf`, `oneOf` and `anyOf`.
 * `not`, `if` and contradicting keywords are not considered, so that a caller may check the value.
 */
export function createDraw(flatten: Flatten, words: WordList = englishWords): Draw {
  return (part, options) =>
    drawFlat(
      flatten(part),
      { ...options, depth: 0, outer: undefined },
      {
        ...options,
        flatten,
        words,
        budget: { left: MAX_NESTED },
      },
    )
}

/** Draws a value of a schema. */
export type Draw = (part: Part, options: DrawOptions) => Json

/** How a value is drawn. */
export interface DrawOptions {
  /** The seed of the value. Each value inside has a seed of its own, by its path: another field changes no value. */
  seed: number
  /** The name of the field that has the value, which says what a text or a number is. */
  name: string
  /** Leaves out fields that are not required, and draws null where the schema allows null. */
  isSparse?: boolean
  /**
   * Whether an example of a field is its value; 'unknown': of a field whose name says nothing, as the records of a
   * collection would have the same names and cities. @default 'always'
   */
  examples?: 'always' | 'unknown' | 'never'
  /** Which of several choices is drawn. @default any, if all have one type; else the first */
  choice?: number | undefined
}

/** What all values inside of a value share. */
interface Context extends Pick<DrawOptions, 'isSparse' | 'examples'> {
  flatten: Flatten
  words: WordList
  /** How many optional fields of nested objects may follow. */
  budget: { left: number }
}

/** Where a value is. */
interface Place extends Pick<DrawOptions, 'seed' | 'name' | 'choice'> {
  depth: number
  /** The schemas around the value. */
  outer: Outer | undefined
}

interface Outer {
  identity: unknown
  outer: Outer | undefined
}

/** The most optional fields in the objects within a value, as some schemas lead to hundreds of others. */
const MAX_NESTED = 60

/** Objects nested deeper than this have their required fields alone. */
const MAX_OPTIONAL = 3

/** Objects nested deeper than this are empty. */
const MAX_DEPTH = 24

/** The share of null among the members that may be null. */
const NULL_SHARE = 0.1

function drawFlat(flat: FlatSchema, place: Place, context: Context): Json {
  const { limits, choices } = flat
  const { name, seed, depth } = place
  if (limits['const'] !== undefined) return limits['const']
  const random = createRandom(seed)
  const isRarelyNull = depth > 0 && random() < NULL_SHARE
  if ((context.isSparse || isRarelyNull) && allowsNull(flat)) return null
  const values = limits['enum']
  if (Array.isArray(values) && values.length > 0) {
    const given = values.filter((one) => one !== null)
    return pick(random, given.length > 0 ? given : values) ?? null
  }
  const example = exampleOf(flat, name, context.examples)
  if (example !== undefined) return example
  if (choices.length > 0) return drawChoice(flat, place, context)
  const type = valueTypeOf(flat)
  if (type === 'object') return drawObject(flat, place, context)
  if (type === 'array') return drawArray(flat, place, context)
  if (type === 'boolean') return random() < 0.5
  if (type === 'null') return null
  if (type === 'string') return drawText(limits, name, random, context.words)
  const isInteger = type === 'integer' || /^u?int/.test(scalarText(limits['format']))
  return drawNumber(limits, name, random, isInteger)
}

/** The names of fields and collections that hold people. */
const people =
  /(?:^|[a-z_-])(?:author|client|coach|contact|customer|doctor|driver|employee|friend|guest|manager|member|nurse|owner|patient|people|person|player|student|teacher|tenant|user|visitor|worker)s?$/i

/** The place of a member or an element of a value. */
function within(place: Place, { identity }: FlatSchema, key: string, name: string): Place {
  const { seed, outer, depth, choice } = place
  const own = hash(key, 1, hash('.', 1, seed))
  return { seed: own, name, choice, depth: depth + 1, outer: { identity, outer } }
}

function isInside(identity: unknown, { outer }: Place): boolean {
  for (let at = outer; at; at = at.outer) if (at.identity === identity) return true
  return false
}

/** An example of a field that is no id and no container; its records would otherwise all have the same. */
function exampleOf(
  { limits, types }: FlatSchema,
  name: string,
  use: DrawOptions['examples'] = 'always',
): Json | undefined {
  const { example, examples, format } = limits
  const given = example ?? (Array.isArray(examples) ? examples[0] : undefined)
  if (given === undefined || given === null || typeof given === 'object') return undefined
  if (use === 'never' || /(?:^|[a-z_-])id$|^id|uuid|key$/i.test(name)) return undefined
  const hasMeaning = isKnownName(name) || Object.hasOwn(drawFormat, scalarText(format))
  if (use === 'unknown' && hasMeaning) return undefined
  const type = typeof given
  const isOfType = !types || types.has(type) || (types.has('integer') && Number.isInteger(given))
  return isOfType && isAllowed(given, limits) ? given : undefined
}

/** Draws a value of one choice of `oneOf` or `anyOf`, with the limits of the schema beside the choices. */
function drawChoice(flat: FlatSchema, place: Place, context: Context): Json {
  const [first, ...rest] = flat.choices
  const { flatten } = context
  const usable = (first?.parts ?? []).filter((one) => {
    const inner = flatten(one)
    const isNull = inner.types?.size === 1 && inner.types.has('null')
    const isNone = flat.types && commonTypes(flat.types, inner.types)?.size === 0
    return !isNull && !isNone && !inner.isNever && !inner.isBroken
  })
  // A value of another choice would be valid for the unlimited one too, which `oneOf` forbids.
  const unlimited = first?.isOne === true ? usable.filter((one) => isUnlimited(flatten(one))) : []
  const allowed = unlimited.length === 1 ? unlimited : usable
  const closed = allowed.filter((one) => !isInside(flatten(one).identity, place))
  const ordered = closed.length > 0 ? closed : allowed
  const isMixed = new Set(ordered.map((one) => valueTypeOf(flatten(one)))).size > 1
  const random = createRandom(hash('|', 1, place.seed))
  const chosen =
    place.choice === undefined && !isMixed
      ? pick(random, ordered)
      : ordered[(place.choice ?? 0) % Math.max(ordered.length, 1)]
  if (!chosen) return null
  const merged = mergeFlat({ ...flat, choices: rest }, flatten(chosen))
  const outer = { identity: flat.identity, outer: place.outer }
  const value = drawFlat(merged, { ...place, outer, depth: place.depth + 1 }, context)
  const own = withDiscriminator(value, flat, chosen, flatten)
  return first?.isOne === true ? apart(own, chosen, allowed, flatten) : own
}

/**
 * Sets null for a member of another choice that the value fits too, as `oneOf` allows one choice alone: a payment method
 * with a card has no address.
 */
function apart(value: Json, chosen: Part, choices: readonly Part[], flatten: Flatten): Json {
  if (!isRecord(value)) return value
  const { properties, additionalProperties } = flatten(chosen)
  const marks = choices.flatMap((one) => {
    const other = flatten(one)
    if (one === chosen || !fits(value, other, flatten)) return []
    const mark = [...other.properties].find(
      ([key, [part]]) => part && !properties.has(key) && !allowsNull(flatten(part)),
    )
    return mark ? [[mark[0], null] as const] : []
  })
  return additionalProperties?.value === false ? value : { ...value, ...Object.fromEntries(marks) }
}

/** Whether an object fits a schema, as far as its required members, types and constants say. */
function fits(
  value: JsonRecord,
  { properties, required, types }: FlatSchema,
  flatten: Flatten,
): boolean {
  const isFitting = ([key, one]: [string, Json]): boolean =>
    (properties.get(key) ?? []).every((part) => {
      const { types: allowed, limits } = flatten(part)
      const { enum: values, const: only = one } = limits
      const isChoice = !Array.isArray(values) || values.some((choice) => isSame(choice, one))
      return isSame(only, one) && isChoice && (!allowed || isOfTypes(one, allowed))
    })
  return (
    (!types || types.has('object')) &&
    [...required].every((key) => Object.hasOwn(value, key)) &&
    Object.entries(value).every(isFitting)
  )
}

/** Whether every object is valid. */
function isUnlimited(flat: FlatSchema): boolean {
  const { properties, required, choices, additionalProperties, limits } = flat
  return (
    valueTypeOf(flat) === 'object' &&
    properties.size + required.size + choices.length + Object.keys(limits).length === 0 &&
    additionalProperties === undefined
  )
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

function drawObject(flat: FlatSchema, place: Place, context: Context): JsonRecord {
  const drawn: JsonRecord = {}
  const { depth } = place
  if (depth >= MAX_DEPTH) return drawn
  const { flatten, budget, isSparse, words } = context
  const hasOptional = isSparse !== true && depth < MAX_OPTIONAL && !isInside(flat.identity, place)
  const isPerson =
    people.test(place.name) ||
    [...flat.properties.keys()].some((key) => /mail$|birth|^born|phone/i.test(key))
  const isItem =
    depth > 0 && [...flat.properties.keys()].some((key) => /(?:price|amount|cost)$/i.test(key))
  for (const [key, parts] of flat.properties) {
    const isRequired = flat.required.has(key)
    if (!isRequired && (!hasOptional || (depth > 0 && budget.left-- <= 0))) continue
    const inner = mergeAll(parts, flatten)
    if (!inner || inner.limits['writeOnly'] === true || inner.isNever || inner.isBroken) continue
    const name =
      key === 'name' && isPerson ? 'fullname' : isItem && key === 'description' ? 'label' : key
    const own = within(place, flat, key, name)
    const isCycle = isInside(inner.identity, own)
    if (!isRequired && isCycle) continue
    define(drawn, key, isCycle && allowsNull(inner) ? null : drawFlat(inner, own, context))
  }
  for (const key of flat.required) {
    if (!Object.hasOwn(drawn, key) && !flat.properties.has(key))
      define(drawn, key, drawUnnamed(key, flat, place, context))
  }
  const { additionalProperties, properties, limits } = flat
  const isMap = isRecord(additionalProperties?.value) && properties.size === 0 && hasOptional
  const least = Math.max(Number(limits['minProperties'] ?? 0), isMap ? 2 : 0)
  const most = additionalProperties?.value === false ? 0 : Number(limits['maxProperties'] ?? least)
  for (let at = 0; Object.keys(drawn).length < Math.min(least, most, 1000); at++) {
    const key = words.nouns[at] ?? `key${at}`
    if (!Object.hasOwn(drawn, key)) define(drawn, key, drawUnnamed(key, flat, place, context))
  }
  agree(drawn, (key) => mergeAll(flat.properties.get(key) ?? [], flatten))
  return drawn
}

/** Draws a member that the schema does not name. */
function drawUnnamed(key: string, flat: FlatSchema, place: Place, context: Context): Json {
  const { additionalProperties: part } = flat
  const own = within(place, flat, key, key)
  if (part) return drawFlat(context.flatten(part), own, context)
  return drawText({}, key, createRandom(own.seed), context.words)
}

function mergeAll(parts: readonly Part[], flatten: Flatten): FlatSchema | undefined {
  const [first, ...rest] = parts
  if (!first) return undefined
  return rest.reduce((merged, one) => mergeFlat(flatten(one), merged), flatten(first))
}

function drawArray(flat: FlatSchema, place: Place, context: Context): Json[] {
  const { limits, items, prefix } = flat
  const { name, depth, choice } = place
  const { flatten, words } = context
  const least = Number(limits['minItems'] ?? 0)
  const most = Number(limits['maxItems'] ?? Infinity)
  const item = items && flatten(items)
  const isCycle = isInside(flat.identity, place) || (item && isInside(item.identity, place))
  // Deep lists of objects lead to hundreds of others, those of texts do not.
  const isDeep = depth >= MAX_OPTIONAL && (!item || item.properties.size + item.choices.length > 0)
  const isShort = context.isSparse === true || isCycle || isDeep
  const random = createRandom(hash('#', 1, place.seed))
  const wanted = isShort ? least : Math.max(least, 1 + Math.floor(random() * 2))
  const count = depth >= MAX_DEPTH ? 0 : Math.min(wanted, most, 1000)
  const drawn: Json[] = []
  for (let at = 0; drawn.length < count && at < count * 20; at++) {
    const schema = prefix?.[drawn.length] ?? items
    const own = within(place, flat, String(at), name.replace(/s$/, ''))
    const value = schema
      ? drawFlat(
          flatten(schema),
          { ...own, choice: choice === undefined ? choice : choice + at },
          context,
        )
      : drawText({}, own.name, createRandom(own.seed), words)
    const isTaken = limits['uniqueItems'] === true && drawn.some((one) => isSame(one, value))
    if (!isTaken) drawn.push(value)
  }
  return drawn
}
