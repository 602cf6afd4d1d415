import { findForeignKeys } from '../../fixtures/foreign-keys.ts'
import type { RelationOptions } from '../../fixtures/relation-options.ts'
import { baseName, parentNamed } from '../../text/foreign-keys.ts'
import { isRecord, ownValue } from '../../json/json.ts'
import type { JsonSchema } from '../../types/json-schema.ts'
import { propertiesOf } from '../declared/apply-schema.ts'
import { isPluralOf } from '../../text/plurals.ts'
import { type Place, scalarsIn, toElement } from '../place.ts'
import type { NumberStatistics, Statistics, StringStatistics } from '../statistics.ts'

/**
 * Finds the fields of a resource that hold ids of other records (relations): those that the option `relations`
 * names, those whose key is named after a collection (`postId`), at any depth, and those whose values are all
 * ids of one collection. `names` are those of the targets: one list for all resources, by which `parentNamed`
 * caches its results.
 */
export function findRelations(
  resource: Referrer,
  targets: readonly ReferencedCollection[],
  names: readonly string[],
  rules: RelationRules,
): ShapeRelation[] {
  const { idField = '', statistics } = resource
  const fields = Object.keys(statistics.objects?.fields ?? {})
  const byKey = findByKey(resource, fields, names, rules)
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
  to: string
  /** The configuration, the name of the key, or all values show the relation. */
  by: 'configuration' | 'name' | 'values'
}

/** The options of a mock that name relations. */
export interface RelationRules {
  relations?: RelationOptions | undefined
  foreignKeySuffix?: string | undefined
}

/** Finds the relations of an empty collection by the names in its schema: `patientId`, `items[].productId`. */
export function findDeclaredRelations(
  { name, idField = '' }: Pick<Referrer, 'name' | 'idField'>,
  schema: JsonSchema,
  names: readonly string[],
  rules: RelationRules,
): ShapeRelation[] {
  return within(schema, [])

  function within(part: JsonSchema, place: Place): ShapeRelation[] {
    if (!isRecord(part)) return []
    const properties = propertiesOf(part)
    const keys = Object.keys(properties)
    const found: [string, Omit<ShapeRelation, 'place'>][] =
      place.length === 0
        ? [...findByKey({ name, idField }, keys, names, rules)]
        : keys.flatMap((key) => {
            const to = parentNamed(key, name, names, rules.foreignKeySuffix)
            return to === undefined ? [] : [[key, { to, by: 'name' }]]
          })
    const own = found.map(([key, one]): ShapeRelation => ({ place: [...place, key], ...one }))
    const inner = Object.entries(properties).flatMap(([key, one]) => within(one, [...place, key]))
    const items = isRecord(part.items) ? within(part.items, [...place, toElement]) : []
    return [...own, ...inner, ...items]
  }
}

function findByKey(
  { name, idField = '' }: Pick<Referrer, 'name' | 'idField'>,
  keys: readonly string[],
  names: readonly string[],
  { relations = {}, foreignKeySuffix }: RelationRules,
): Map<string, Omit<ShapeRelation, 'place'>> {
  const configured = ownValue(relations, name) ?? {}
  const resource = { name, idField, keys }
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

/**
 * Finds a relation by values alone: the collection whose ids all values at a place are. A field that is named
 * after a collection (`category` after `categories`) needs two different values. Any other field needs three,
 * which must be ids of no second collection. Integers need more, because the ids 1 to 50 contain most small
 * numbers. The probability that all values are among the ids by accident is the share of the numbers between
 * the least and the greatest id that are ids, to the power of the number of different values; it has to be
 * below 0.1 %.
 */
function findContaining(
  resource: Referrer,
  place: Place,
  statistics: Statistics,
  targets: readonly ReferencedCollection[],
): ReferencedCollection | undefined {
  const values = valuesOf(statistics)
  if (!values || values.distinct < namedValues) return undefined
  const sample = values.frequencies.map(([value]) => String(value))
  const isContaining = (target: ReferencedCollection): boolean =>
    hasSameType(statistics, target.ids) &&
    sample.every((value) => target.has(value)) &&
    !isCopyOfId(resource, values, target)
  const key = place.findLast((step) => step !== toElement) ?? ''
  const containing = targets.filter(isContaining)
  const named = containing.filter(({ name }) => isPluralOf(baseName(name), key))
  const [target, other] = named.length > 0 ? named : containing
  if (!target || other) return undefined
  if (named.length === 0 && !isEvident(values.distinct, target.ids)) return undefined
  return !values.isSample || resource.hasOnlyIds(place, target) ? target : undefined
}

const namedValues = 2
const otherValues = 3
const accident = 1 / 1000

type Values = (NumberStatistics | StringStatistics)['values']

function valuesOf({ count, nulls, strings, numbers }: Statistics): Values | undefined {
  if (strings?.count === count - nulls) return strings.values
  return numbers?.integers === count - nulls ? numbers.values : undefined
}

function hasSameType(statistics: Statistics, ids: Statistics): boolean {
  return statistics.strings ? ids.strings !== undefined : ids.numbers !== undefined
}

/** Whether values are unique in their own collection, as a second id field is. */
function isCopyOfId(
  { name }: Referrer,
  { isUnique }: Values,
  target: ReferencedCollection,
): boolean {
  return isUnique && name === target.name
}

function isEvident(distinct: number, { count, numbers, strings }: Statistics): boolean {
  if (distinct < otherValues) return false
  // Texts that are numbers are as likely to be ids by accident, but their range is unknown.
  if (strings) return strings.format !== 'numeric'
  if (!numbers) return false
  const share = Math.min(1, count / (numbers.max - numbers.min + 1))
  return share ** distinct < accident
}

interface Referrer {
  name: string
  idField?: string | undefined
  statistics: Statistics
  /** Whether every value at a place is null or an id of a collection; reads the data again. */
  hasOnlyIds(place: Place, target: ReferencedCollection): boolean
}

/** A collection whose ids these fields may hold. */
export interface ReferencedCollection {
  name: string
  version: unknown
  ids: Statistics
  has(id: string): boolean
}
