import type { Place } from '../../shape/place.ts'
import type { Facts, FieldFacts } from '../facts/facts.ts'
import { isDifferent, never, type Tally } from '../facts/tally.ts'
import { describeKinds } from './compare-types.ts'
import type { Finding, LoneField } from './finding.ts'
import { findRenames } from './find-renames.ts'

/**
 * Compares what both sides know of the fields of objects at a place: which fields one side lacks, renames or
 * has as optional fields, and what their values are.
 */
export function compareFields(
  here: Facts,
  there: Facts,
  place: Place,
  compare: Compare,
): Finding[] {
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
      ...comparePresence(field, other, [...place, name]),
      ...compare(field.facts(), other.facts(), [...place, name]),
    ]),
    ...[...renames].map(([{ name }, other]) => toRename(name, other.name, place)),
    ...gone
      .filter((field) => !renames.has(field))
      .map((field) => toMissing(field, 'there', [...place, field.name])),
    ...added
      .filter((field) => !renamed.has(field))
      .map((field) => toMissing(field, 'here', [...place, field.name])),
  ]
}

/** Compares facts at an inner place. */
type Compare = (here: Facts | undefined, there: Facts | undefined, place: Place) => Finding[]

/** Returns the fields that the other side lacks, with enough evidence. */
function loneFields({ fields = new Map() }: Facts, other: Facts): LoneField[] {
  if (other.isOpen) return []
  const objects = other.kinds.get('object')
  return [...fields].flatMap(([name, field]: [string, FieldFacts]): LoneField[] => {
    if (other.fields?.has(name) || !isLone(field, objects)) return []
    return [{ name, field, facts: field.facts() }]
  })
}

/**
 * Whether the evidence suffices that the other side lacks the field: all known objects have the field, or
 * enough of them.
 */
function isLone({ present, absent }: FieldFacts, objects: Tally | undefined): boolean {
  const count = objects?.times ?? 0
  if (!present || count === 0) return false
  const isAlways = present.of === Infinity || absent?.times === 0
  return isAlways || isDifferent(present, count === Infinity ? never : { times: 0, of: count })
}

function toMissing({ facts }: LoneField, side: 'here' | 'there', place: Place): Finding {
  const type = facts ? describeKinds(facts) : 'any value'
  const other = side === 'there' ? 'here' : 'there'
  return {
    kind: `missing ${side}`,
    place,
    here: side === 'here' ? 'missing' : type,
    there: side === 'here' ? type : 'missing',
    example: { side: other, place, matches: () => true },
  }
}

function toRename(from: string, to: string, place: Place): Finding {
  const own = [...place, from]
  return {
    kind: 'renamed',
    place: own,
    here: from,
    there: to,
    example: { side: 'there', place: [...place, to], matches: () => true },
    renames: [{ place: own, to }],
  }
}

function comparePresence(here: FieldFacts, there: FieldFacts, place: Place): Finding[] {
  if (!isDifferent(here.absent, there.absent)) return []
  const isThere = (there.absent?.times ?? 0) > 0
  const example = { side: isThere ? 'here' : 'there', place, matches: () => true } as const
  return [
    {
      kind: 'optional',
      place,
      here: describe(here.absent),
      there: describe(there.absent),
      example,
    },
  ]
}

function describe(absent: Tally | undefined): string {
  if (!absent?.times) return absent?.of === Infinity ? 'required' : 'always there'
  return `missing in ${absent.times} of ${absent.of}`
}
