import { phraseOf } from '../errors/status.ts'
import type { Part } from '../json/documents.ts'
import { define, isRecord, type Json, type JsonRecord } from '../json/json.ts'
import { usualNames } from '../learn/configure/list-template.ts'
import { hash } from '../time/random.ts'
import { allowsNull, objectOf, valueTypeOf } from '../json/flat-schema.ts'
import type { FlatSchema } from '../json/flat-schema.ts'
import type { Tools } from './project.ts'

/**
 * Builds a body around a value: `keys` lead to the value. The other members are facts such as the total, by their
 * names, and what the schema requires.
 */
export function wrap(
  value: Json,
  part: Part,
  keys: readonly string[],
  factOf: FactOf,
  tools: Tools,
): Json {
  if (keys.length === 0) return value
  const flat = objectOf(part, tools.flatten)
  return flat ? build(flat, keys, value, factOf, tools, 0) : value
}

/** Returns the value of a member by its name; undefined for a name without a meaning. */
export type FactOf = (key: string, flat: FlatSchema) => Json | undefined

function build(
  flat: FlatSchema,
  keys: readonly string[] | undefined,
  value: Json,
  factOf: FactOf,
  tools: Tools,
  depth: number,
): JsonRecord {
  const built: JsonRecord = {}
  for (const [key, [property]] of flat.properties) {
    if (!property) continue
    if (key === keys?.[0]) {
      define(built, key, wrapInner(value, property, keys.slice(1), factOf, tools, depth))
      continue
    }
    const inner = tools.flatten(property)
    const fact = factOf(key, inner)
    const isNeeded = flat.required.has(key)
    if (fact !== undefined) define(built, key, fact)
    else if (valueTypeOf(inner) === 'object' && inner.properties.size > 0 && depth < 3) {
      if (isNeeded || keys !== undefined) {
        define(built, key, build(inner, undefined, value, factOf, tools, depth + 1))
      }
    } else if (isNeeded || isFixed(inner)) {
      const seed = hash(`${tools.seed} ${property.uri}`)
      define(built, key, tools.draw(property, { seed, name: key, isSparse: true }))
    }
  }
  return built
}

function wrapInner(
  value: Json,
  part: Part,
  keys: readonly string[],
  factOf: FactOf,
  tools: Tools,
  depth: number,
): Json {
  if (keys.length === 0) return value
  const flat = objectOf(part, tools.flatten)
  return flat ? build(flat, keys, value, factOf, tools, depth + 1) : value
}

/** Whether a member has one value alone: `"object": "list"`. */
function isFixed({ limits }: FlatSchema): boolean {
  const values = limits['enum']
  return limits['const'] !== undefined || (Array.isArray(values) && values.length === 1)
}

/** The facts of a list. */
export interface ListFacts {
  total: number
  count: number
  limit: number
  offset: number
  /** Returns the URL of another page; undefined if there is none. */
  url(page: 'first' | 'last' | 'next' | 'prev' | 'self'): string | undefined
  nextCursor: string | undefined
}

/** Creates the function that gives the members of envelopes their values, by their usual names. */
export function listFactOf(facts: ListFacts): FactOf {
  const { total, count, limit, offset } = facts
  const pages = Math.max(1, Math.ceil(total / Math.max(limit, 1)))
  const page = Math.floor(offset / Math.max(limit, 1)) + 1
  const hasNext = offset + count < total
  const values: Record<string, Json | undefined> = {
    total,
    counted: total,
    count,
    limit,
    offset,
    pages,
    lastPage: pages,
    page,
    from: count > 0 ? offset + 1 : null,
    to: offset + count,
    hasNext,
    hasPrev: offset > 0,
    nextPage: hasNext ? page + 1 : null,
    prevPage: page > 1 ? page - 1 : null,
    nextCursor: facts.nextCursor ?? null,
    path: facts.url('self')?.split('?', 1)[0],
    ...Object.fromEntries(
      (['first', 'last', 'next', 'prev', 'self'] as const).map((one) => [
        one,
        facts.url(one) ?? null,
      ]),
    ),
  }
  return (key, flat) => {
    const name = key.toLowerCase().replaceAll(/[^a-z]/g, '')
    for (const [names, variable] of usualNames) {
      if (!names.test(name)) continue
      const fact = values[variable]
      if (fact !== undefined && isOfType(fact, flat)) return fact
    }
    return undefined
  }
}

function isOfType(fact: Json, flat: FlatSchema): boolean {
  if (fact === null) return allowsNull(flat)
  const types = flat.types ?? new Set(['any'])
  if (types.has('any')) return flat.choices.length === 0
  if (typeof fact === 'number') {
    const { minimum = -Infinity, maximum = Infinity } = flat.limits
    const isType = types.has('integer') || types.has('number')
    return isType && fact >= Number(minimum) && fact <= Number(maximum)
  }
  if (typeof fact !== 'string') return types.has(typeof fact)
  const { pattern, maxLength = Infinity } = flat.limits
  const isMatch = typeof pattern !== 'string' || new RegExp(pattern, 'u').test(fact)
  return types.has('string') && isMatch && fact.length <= Number(maxLength)
}

/** What an error says. */
export interface ErrorFacts {
  status: number
  message: string
  code: string
  errors: Readonly<Record<string, string>> | undefined
}

/** Builds the body of an error by the schema that the document gives the status. */
export function toErrorBody(part: Part, facts: ErrorFacts, tools: Tools): Json {
  const flat = objectOf(part, tools.flatten)
  if (!flat || flat.properties.size === 0) {
    const plain = tools.flatten(part)
    if (valueTypeOf(plain) === 'string') return facts.message
    return tools.draw(part, { seed: hash(`${tools.seed} ${part.uri}`), name: 'error' })
  }
  const factOf: FactOf = (key, inner) => errorFact(key, inner, facts)
  return build(flat, undefined, null, factOf, tools, 0)
}

function errorFact(key: string, flat: FlatSchema, facts: ErrorFacts): Json | undefined {
  const type = valueTypeOf(flat)
  const { limits } = flat
  if (Array.isArray(limits['enum']) || limits['const'] !== undefined) return undefined
  const isNumber = type === 'integer' || type === 'number'
  const fact = ((): Json | undefined => {
    if (
      /^(?:message|detail|description|error_?description|error_?message|reason|msg)$/i.test(key)
    ) {
      return facts.message
    }
    if (/^title$/i.test(key)) return phraseOf(facts.status)
    if (/^(?:status|code|status_?code|error_?code|http_?status)$/i.test(key)) {
      return isNumber ? facts.status : /status/i.test(key) ? String(facts.status) : facts.code
    }
    if (/^(?:error|type)$/i.test(key)) return key === 'type' ? 'about:blank' : facts.message
    if (/^errors$/i.test(key) && isRecord(facts.errors) && type === 'object') return facts.errors
    return undefined
  })()
  return fact !== undefined && isOfType(fact, flat) ? fact : undefined
}
