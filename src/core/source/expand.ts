import type { Data } from '../dialects/contract/dialect.ts'
import { elementsOf, inside, type Part } from '../json/documents.ts'
import { type Flatten, objectOf } from '../json/flat-schema.ts'
import { define, isRecord, type Json } from '../json/json.ts'
import { scalarText } from '../json/scalar-text.ts'
import type { BoundCollection } from './binding.ts'
import { project, type Tools } from './project.ts'
import type { ReadRequest } from './request.ts'

/** A schema that shows the record of an id, and the collection of the record. */
interface Expansion {
  part: Part
  owner: BoundCollection
}

/**
 * Creates the function that finds the records that a member may show in place of their id: of a schema that allows a
 * text or the schema of a collection (`anyOf: [string, Customer]`, or `x-expansionResources`).
 */
export function createExpansions(
  collections: ReadonlyMap<string, BoundCollection>,
  flatten: Flatten,
): (part: Part) => Expansion[] {
  const owners = new Map<string, BoundCollection>()
  for (const owner of collections.values()) {
    const entity = owner.record && objectOf(owner.record, flatten)?.entity
    if (entity !== undefined && !owners.has(entity)) owners.set(entity, owner)
  }
  return (part) => {
    const { choices, part: own } = flatten(part)
    const named = elementsOf(inside(inside(own, 'x-expansionResources'), 'oneOf'))
    const parts = choices.flatMap((choice) => choice.parts)
    const isId = parts.length === 0 || parts.some((one) => flatten(one).types?.has('string'))
    return (isId ? [...parts, ...named] : []).flatMap((one) => {
      const owner = owners.get(objectOf(one, flatten)?.entity ?? '')
      return owner ? [{ part: one, owner }] : []
    })
  }
}

/**
 * Replaces ids by their records, as the parameter `expand` names them by paths: `customer`, `data.customer.plan`. An id
 * without a record stays.
 */
export function expand(
  body: Json,
  schema: Part,
  listKeys: readonly string[],
  request: ReadRequest,
  parts: { data: Data; tools: Tools; expansionsOf: (part: Part) => Expansion[] },
): Json {
  const { data, tools, expansionsOf } = parts
  const asked =
    request.query.get('expand') ?? (isRecord(request.body) ? request.body['expand'] : undefined)
  const paths = [asked ?? []].flat().flatMap((one) => scalarText(one).split(','))
  return paths.reduce<Json>((shown, path) => {
    const steps = path.trim().split('.').slice(0, MAX_STEPS)
    const isInside = steps[0] === listKeys[0] || listKeys.length === 0
    return expandAt(shown, schema, isInside ? steps : [...listKeys, ...steps])
  }, body)

  function expandAt(value: Json, part: Part, steps: readonly string[]): Json {
    if (Array.isArray(value)) {
      const { items } = tools.flatten(part)
      return items ? value.map((one) => expandAt(one, items, steps)) : value
    }
    const [key, ...rest] = steps
    if (!isRecord(value)) return key === undefined ? recordOf(value, part) : value
    const [property] =
      key === undefined ? [] : (objectOf(part, tools.flatten)?.properties.get(key) ?? [])
    const held = key === undefined ? undefined : value[key]
    if (key === undefined || !property || held === undefined) return value
    const shown = { ...value }
    define(shown, key, expandAt(expandAt(held, property, []), property, rest))
    return shown
  }

  function recordOf(id: Json, part: Part): Json {
    if (typeof id !== 'string' && typeof id !== 'number') return id
    for (const { part: own, owner } of expansionsOf(part)) {
      const record = data.find(owner.name, String(id))
      if (record) return project(data.shown(owner.name, record), own, owner.record, tools)
    }
    return id
  }
}

/** The most members in a path. */
const MAX_STEPS = 8
