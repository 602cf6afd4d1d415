import type { Place } from '../../shape/place.ts'
import type { Difference } from '../difference.ts'
import { type Facts, type FieldFacts, isDifferent, type Tally } from '../facts/facts.ts'
import { describeKinds } from '../facts/facts.ts'
import { findRenames, type LoneField } from './renames.ts'
import { type Pair, toDifference } from './to-difference.ts'

/** Compares the fields of objects at a place: lone, renamed and optional fields, and values. */
export function compareFields(
  pair: Pair,
  here: Facts,
  there: Facts,
  place: Place,
  compare: Compare,
): Difference[] {
  if (!here.fields || !there.fields) return []
  const gone = loneFields(here, there)
  const added = loneFields(there, here)
  const renames = findRenames(gone, added)
  const renamed = new Set(renames.values())
  const common = [...here.fields].flatMap(([name, field]) => {
    const other = there.fields?.get(name)
    return other ? [[name, field, other] as const] : []
  })
  return [
    ...common.flatMap(([name, field, other]) => [
      ...comparePresence(pair, field, other, [...place, name]),
      ...compare(pair, field.facts(), other.facts(), [...place, name]),
    ]),
    ...[...renames].map(([{ name }, other]) => toRename(pair, name, other.name, place)),
    ...gone
      .filter((field) => !renames.has(field))
      .map((field) => toMissing(pair, field, 'there', [...place, field.name])),
    ...added
      .filter((field) => !renamed.has(field))
      .map((field) => toMissing(pair, field, 'here', [...place, field.name])),
  ]
}

type Compare = (
  pair: Pair,
  here: Facts | undefined,
  there: Facts | undefined,
  place: Place,
) => Difference[]

function loneFields({ fields = new Map() }: Facts, other: Facts): LoneField[] {
  if (other.isOpen) return []
  const objects = other.kinds.get('object')
  return [...fields].flatMap(([name, field]: [string, FieldFacts]): LoneField[] => {
    if (other.fields?.has(name) || !isLone(field, objects)) return []
    return [{ name, field, facts: field.facts() }]
  })
}

function isLone({ present, absent }: FieldFacts, objects: Tally | undefined): boolean {
  const total = objects?.count ?? 0
  if (!present || total === 0) return false
  const isAlways = present.total === Infinity || absent?.count === 0
  return isAlways || isDifferent(present, { count: 0, total })
}

function toMissing(
  pair: Pair,
  { facts }: LoneField,
  side: 'here' | 'there',
  place: Place,
): Difference {
  const type = facts ? describeKinds(facts) : 'any value'
  const isHere = side === 'here'
  const [here, there] = isHere ? ['missing', type] : [type, 'missing']
  const example = { side: isHere ? 'there' : 'here', place } as const
  return toDifference(pair, { kind: `missing ${side}`, place, here, there }, example)
}

function toRename(pair: Pair, here: string, there: string, outer: Place): Difference {
  const place = [...outer, here]
  const renames = [{ place, to: there }]
  const example = { side: 'there', place: [...outer, there] } as const
  return toDifference(pair, { kind: 'renamed', place, here, there, renames }, example)
}

function comparePresence(
  pair: Pair,
  { absent: here }: FieldFacts,
  { absent: there }: FieldFacts,
  place: Place,
): Difference[] {
  if (!isDifferent(here, there)) return []
  const side = (there?.count ?? 0) > 0 ? 'here' : 'there'
  const words = { here: describe(here), there: describe(there) }
  return [toDifference(pair, { kind: 'optional', place, ...words }, { side, place })]
}

function describe(absent: Tally | undefined): string {
  if (!absent?.count) return absent?.total === Infinity ? 'required' : 'always there'
  return `missing in ${absent.count} of ${absent.total}`
}
