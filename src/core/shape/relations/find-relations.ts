import { findForeignKeys } from '../../fixtures/foreign-keys.ts'
import type { RelationOptions } from '../../fixtures/relation-options.ts'
import { parentNamed } from '../../text/foreign-keys.ts'
import { ownValue } from '../../json/json.ts'
import { type Place, scalarsIn, toElement } from '../place.ts'
import { findContaining } from './find-containing.ts'
import type { Referrer, ReferencedCollection } from './referrer.ts'

/**
 * Finds the fields of a resource that hold ids of other records (relations): those that the option `relations`
 * names, those whose key is named after a collection (`postId`), at any depth, and those whose values are all
 * ids of one collection.
 */
export function findRelations(
  resource: Referrer,
  targets: readonly ReferencedCollection[],
  rules: RelationRules,
): ShapeRelation[] {
  const { idField = '', statistics } = resource
  const byKey = findByKey(resource, targets, rules)
  const names = namesOf(targets)
  return Array.from(scalarsIn(statistics)).flatMap(([place, values]): ShapeRelation[] => {
    const keys = place.filter((step) => step !== toElement)
    const key = keys.at(-1) ?? ''
    const isNested = keys.length > 1
    if (!isNested && key === idField) return []
    const known = byKey.get(isNested ? '' : key)
    if (known) return [{ place, ...known }]
    // The foreign keys inside of records are found by name alone: `items[].productId`.
    const named = isNested
      ? parentNamed(key, resource.name, names, rules.foreignKeySuffix)
      : undefined
    if (named !== undefined) return [{ place, to: named, by: 'name' }]
    const to = findContaining(resource, place, values, targets)?.name
    return to === undefined ? [] : [{ place, to, by: 'values' }]
  })
}

/** A place in the data of a resource whose values are ids of the records of a collection. */
export interface ShapeRelation {
  place: Place
  /** The collection of the ids. */
  to: string
  /**
   * How the relation was found: it is configured, the key is named after the collection, or all values are
   * its ids.
   */
  by: 'configuration' | 'name' | 'values'
}

/** The options of a mock that name relations. */
export interface RelationRules {
  relations?: RelationOptions | undefined
  foreignKeySuffix?: string | undefined
}

/** The names of the collections: the same list for all resources, because `parentNamed` caches results by list. */
function namesOf(targets: readonly ReferencedCollection[]): string[] {
  const names = namesByTargets.get(targets) ?? targets.map(({ name }) => name)
  namesByTargets.set(targets, names)
  return names
}

const namesByTargets = new WeakMap<readonly ReferencedCollection[], string[]>()

/** Finds the relations of the top-level fields by the rule that the store uses. */
function findByKey(
  { name, idField = '', statistics }: Referrer,
  targets: readonly ReferencedCollection[],
  { relations = {}, foreignKeySuffix }: RelationRules,
): Map<string, Omit<ShapeRelation, 'place'>> {
  const names = namesOf(targets)
  const configured = ownValue(relations, name) ?? {}
  const fields = Object.keys(statistics.objects?.fields ?? {})
  const resource = { name, idField, keys: fields }
  const found = findForeignKeys(resource, names, relations, foreignKeySuffix)
  return new Map(
    found.flatMap(({ keys, parent }) =>
      keys.map((key) => {
        const by = Object.hasOwn(configured, key) ? 'configuration' : 'name'
        return [key, { to: parent, by }] as const
      }),
    ),
  )
}
