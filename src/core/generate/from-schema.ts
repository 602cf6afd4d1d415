import { define, isRecord, type Json, type JsonRecord, ownValue } from '../json/json.ts'
import { randomUuid, type Random } from '../time/random.ts'
import type { JsonSchema } from '../types/json-schema.ts'
import { drawInteger, pick } from './draw.ts'
import { toDecimals } from './numbers.ts'
import { drawPattern } from './pattern-text.ts'
import { drawByName } from './by-name.ts'
import type { WordList } from './words.ts'

/**
 * Draws a value that conforms to a JSON Schema (2020-12, or a schema object of OpenAPI), as far as its keywords can be
 * fulfilled one by one: `not`, `if` and contradicting keywords are not considered, so that a caller may check the
 * value. Names of fields decide what texts say: `city`, `createdAt`.
 */
export function drawFromSchema(schema: JsonSchema, place: SchemaPlace): Json {
  return draw(schema, place, 0)
}

/** Where a value is drawn: its random numbers, the name of its field and the words. */
export interface SchemaPlace {
  /** Returns the random numbers of the value at a path below the record. */
  at(path: string): Random
  path: string
  name: string
  words: WordList
  /** Returns the schema to which a `$ref` leads; undefined if it leads nowhere. */
  resolve?(reference: string): JsonSchema | undefined
  /** Whether optional fields are drawn: 'all', or 'some' of them. @default 'all' */
  optional?: 'all' | 'some'
}

/** Below this depth only required fields are drawn, so that schemas that contain themselves end. */
const maxDepth = 6

function draw(given: JsonSchema, place: SchemaPlace, depth: number): Json {
  const schema = flatten(given, place)
  const random = place.at(place.path)
  if ('const' in schema) return schema['const'] ?? null
  const choices = schema['enum']
  if (Array.isArray(choices) && choices.length > 0) return pick(random, choices) ?? null
  const types = [schema['type'] ?? typeBy(schema)].flat() as string[]
  const real = types.filter((type) => type !== 'null')
  const hasNull = types.includes('null') || schema['nullable'] === true
  if (real.length === 0 || (hasNull && random() < 0.15)) return null
  const type = pick(random, real) ?? 'string'
  if (type === 'object') return drawObject(schema, place, depth)
  if (type === 'array') return drawArray(schema, place, depth)
  if (type === 'boolean') return random() < 0.5
  if (type === 'integer' || type === 'number') return drawNumber(schema, type, random, place.name)
  return drawText(schema, random, place)
}

/** Merges `$ref`, `allOf` and one alternative of `oneOf` and `anyOf` into one schema. */
function flatten(given: JsonSchema, place: SchemaPlace): JsonRecord {
  let schema: JsonRecord = isRecord(given) ? given : {}
  for (let steps = 0; steps < 32; steps++) {
    const { $ref, allOf, oneOf, anyOf, ...rest } = schema
    const target = typeof $ref === 'string' ? place.resolve?.($ref) : undefined
    const parts: unknown[] = [
      ...(target === undefined ? [] : [target]),
      ...(Array.isArray(allOf) ? allOf : []),
    ]
    for (const [index, choices] of [oneOf, anyOf].entries()) {
      if (!Array.isArray(choices)) continue
      const simple = choices.filter((one) => !isRecord(one) || one['type'] !== 'null')
      const random = place.at(`${place.path}|${index}|${steps}`)
      parts.push(pick(random, simple.length > 0 ? simple : choices))
    }
    if (parts.length === 0) return rest
    schema = parts.reduce<JsonRecord>((all, part) => merge(all, isRecord(part) ? part : {}), rest)
  }
  return schema
}

function merge(first: JsonRecord, second: JsonRecord): JsonRecord {
  const merged: JsonRecord = { ...first, ...second }
  const both = (keyword: string): [Json | undefined, Json | undefined] => [
    first[keyword],
    second[keyword],
  ]
  const [properties, others] = both('properties')
  if (isRecord(properties) && isRecord(others)) {
    const all: JsonRecord = { ...properties }
    for (const [name, other] of Object.entries(others)) {
      const known = ownValue(all, name)
      define(all, name, isRecord(known) && isRecord(other) ? merge(known, other) : other)
    }
    merged['properties'] = all
  }
  const [required, more] = both('required')
  if (Array.isArray(required) && Array.isArray(more)) {
    merged['required'] = [...new Set([...required, ...more])]
  }
  const [allOf, furtherAllOf] = both('allOf')
  if (Array.isArray(allOf) && Array.isArray(furtherAllOf))
    merged['allOf'] = [...allOf, ...furtherAllOf]
  const [one, other] = both('enum')
  if (Array.isArray(one) && Array.isArray(other)) {
    merged['enum'] = one.filter((value) => other.includes(value))
  }
  return merged
}

function typeBy(schema: JsonRecord): string {
  if ('properties' in schema || 'additionalProperties' in schema) return 'object'
  if ('items' in schema || 'prefixItems' in schema) return 'array'
  if ('minimum' in schema || 'maximum' in schema || 'multipleOf' in schema) return 'number'
  return 'string'
}

function drawObject(schema: JsonRecord, place: SchemaPlace, depth: number): JsonRecord {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {}
  const required = new Set(
    (Array.isArray(schema['required']) ? schema['required'] : []).map(String),
  )
  const drawn: JsonRecord = {}
  const inner = (name: string): SchemaPlace => ({ ...place, path: `${place.path}.${name}`, name })
  for (const [name, property] of Object.entries(properties)) {
    const isDrawn =
      required.has(name) ||
      (depth < maxDepth &&
        !isCyclic(property, place) &&
        (place.optional !== 'some' || place.at(`${place.path}.${name}?`)() < 0.7))
    if (isDrawn) define(drawn, name, draw(property as JsonSchema, inner(name), depth + 1))
  }
  const values = schema['additionalProperties']
  for (const name of required) {
    if (Object.hasOwn(drawn, name)) continue
    define(drawn, name, draw(isRecord(values) ? values : {}, inner(name), depth + 1))
  }
  const least = typeof schema['minProperties'] === 'number' ? schema['minProperties'] : 0
  const isMap = isRecord(values) && Object.keys(properties).length === 0
  const usual = isMap && depth < maxDepth ? 2 : 0
  const wanted = values === false ? 0 : Math.max(least, usual)
  for (let at = 0; Object.keys(drawn).length < wanted; at++) {
    const name = place.words.nouns[at % place.words.nouns.length] ?? 'key'
    const key = at < place.words.nouns.length ? name : `${name}${at}`
    define(drawn, key, draw(isRecord(values) ? values : {}, inner(key), depth + 1))
  }
  return drawn
}

/** Whether an optional property leads back to a schema: its reference is resolved at a small depth only. */
function isCyclic(property: unknown, { path }: SchemaPlace): boolean {
  if (!isRecord(property) || typeof property['$ref'] !== 'string') return false
  return path.split('.').length > 3
}

function drawArray(schema: JsonRecord, place: SchemaPlace, depth: number): Json[] {
  const random = place.at(`${place.path}#`)
  const least = typeof schema['minItems'] === 'number' ? schema['minItems'] : 0
  const most = typeof schema['maxItems'] === 'number' ? schema['maxItems'] : least + 3
  const prefix = Array.isArray(schema['prefixItems']) ? schema['prefixItems'] : []
  const usual =
    depth >= maxDepth
      ? least
      : drawInteger(random, Math.max(least, Math.min(1, most)), Math.min(most, least + 3))
  const count = schema['items'] === false ? Math.min(usual, prefix.length) : usual
  const isUnique = schema['uniqueItems'] === true
  const drawn: Json[] = []
  const seen = new Set<string>()
  for (let at = 0; drawn.length < count && at < count * 20; at++) {
    const own = (prefix[drawn.length] ?? schema['items'] ?? {}) as JsonSchema
    const item = draw(own, { ...place, path: `${place.path}.${at}` }, depth + 1)
    const text = JSON.stringify(item)
    if (isUnique && seen.has(text)) continue
    seen.add(text)
    drawn.push(item)
  }
  return drawn
}

function drawNumber(schema: JsonRecord, type: string, random: Random, name: string): number {
  const number = (keyword: string): number | undefined => {
    const value = schema[keyword]
    return typeof value === 'number' ? value : undefined
  }
  const isInteger =
    type === 'integer' || schema['format'] === 'int32' || schema['format'] === 'int64'
  const step = number('multipleOf') ?? (isInteger ? 1 : 0.01)
  const above = number('exclusiveMinimum')
  const below = number('exclusiveMaximum')
  const byName = /year/i.test(name)
    ? [2000, 2026]
    : /percent|rate|ratio/i.test(name)
      ? [0, 100]
      : []
  const low = number('minimum') ?? above
  const high = number('maximum') ?? below
  const min = low ?? (high === undefined ? (byName[0] ?? 1) : Math.min(high - 100, 0))
  const max = high ?? Math.max(byName[1] ?? 1000, min + 1000)
  const first =
    Math.ceil(min / step - 1e-9) +
    (above !== undefined && above >= min && Math.ceil(min / step - 1e-9) * step <= above ? 1 : 0)
  const last =
    Math.floor(max / step + 1e-9) -
    (below !== undefined && below <= max && Math.floor(max / step + 1e-9) * step >= below ? 1 : 0)
  if (last < first) return toDecimals((min + max) / 2, 10)
  return toDecimals(drawInteger(random, first, last) * step, 10)
}

function drawText(schema: JsonRecord, random: Random, place: SchemaPlace): string {
  const least = typeof schema['minLength'] === 'number' ? schema['minLength'] : 0
  const most = typeof schema['maxLength'] === 'number' ? schema['maxLength'] : Infinity
  const { pattern, format } = schema
  if (typeof pattern === 'string') {
    const expression = toExpression(pattern)
    const fits = (text: string): boolean =>
      text.length >= least && text.length <= most && (expression?.test(text) ?? true)
    let text = ''
    for (let times = 0; times < 60; times++) {
      text = drawPattern(random, pattern)
      if (fits(text)) return text
    }
    return text
  }
  const byFormat =
    typeof format === 'string' ? ownValue(formats, format)?.(random, place.words) : undefined
  const text = byFormat ?? drawByName(random, place.name, place.words)
  if (byFormat !== undefined && text.length >= least && text.length <= most) return text
  const long = text.length < least ? pad(text, least, random, place.words) : text
  return long.length > most ? long.slice(0, most).trimEnd().padEnd(least, 'x') : long
}

/** The regular expression of a pattern; undefined if it is invalid. */
export function toExpression(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, 'u')
  } catch {
    return undefined
  }
}

function pad(text: string, least: number, random: Random, { nouns }: WordList): string {
  let long = text
  while (long.length < least) long += ` ${pick(random, nouns)}`
  return long.slice(0, Math.max(least, text.length))
}

const start = Date.UTC(2024, 0, 1)
const span = 2 * 365 * 86_400

function drawTime(random: Random): string {
  return new Date(start + drawInteger(random, 0, span) * 1000).toISOString().replace('.000', '')
}

const hex = (random: Random, length: number): string =>
  Array.from({ length }, () => drawInteger(random, 0, 15).toString(16)).join('')

/** Draws a text by the name of its format in JSON Schema, OpenAPI or statistics. */
export const formats: Readonly<Record<string, (random: Random, words: WordList) => string>> = {
  'date-time': drawTime,
  date: (random) => drawTime(random).slice(0, 10),
  time: (random) => drawTime(random).slice(11),
  duration: (random) => `PT${drawInteger(random, 1, 59)}M`,
  email: (random, words) => drawByName(random, 'email', words),
  'idn-email': (random, words) => drawByName(random, 'email', words),
  uri: (random, words) => drawByName(random, 'url', words),
  url: (random, words) => drawByName(random, 'url', words),
  iri: (random, words) => drawByName(random, 'url', words),
  'uri-reference': (random, { nouns }) => `/${pick(random, nouns)?.toLowerCase()}`,
  'iri-reference': (random, { nouns }) => `/${pick(random, nouns)?.toLowerCase()}`,
  'uri-template': () => '/items/{id}',
  'json-pointer': () => '/items/0',
  'relative-json-pointer': () => '0/items',
  regex: () => '^[a-z]+$',
  hostname: (random) => `host-${drawInteger(random, 1, 999)}.example.com`,
  'idn-hostname': (random) => `host-${drawInteger(random, 1, 999)}.example.com`,
  ipv4: (random) => `192.0.2.${drawInteger(random, 1, 254)}`,
  ipv6: (random) => `2001:db8::${hex(random, 4)}`,
  uuid: randomUuid,
  'object-id': (random) => hex(random, 24),
  ulid: (random) => `01${letters(random, 24, '0123456789ABCDEFGHJKMNPQRSTVWXYZ')}`,
  nanoid: (random) =>
    letters(random, 21, 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-'),
  byte: (random) => letters(random, 8, 'abcdefghijklmnopqrstuvwxyz'),
  int64: (random) => String(drawInteger(random, 1, 99_999)),
}

function letters(random: Random, length: number, from: string): string {
  return Array.from({ length }, () => from[drawInteger(random, 0, from.length - 1)]).join('')
}
