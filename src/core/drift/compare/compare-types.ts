import type { Place } from '../../shape/place.ts'
import type { Facts, Kind } from '../facts/facts.ts'
import { isDifferent, never, type Tally } from '../facts/tally.ts'
import type { Finding } from './finding.ts'

/**
 * Compares the types of the values of both sides at a place: kinds such as `string`, integers and fractions,
 * and null.
 */
export function compareTypes(here: Facts, there: Facts, place: Place): Finding[] {
  return [...compareKinds(here, there, place), ...compareNulls(here, there, place)]
}

function compareKinds(here: Facts, there: Facts, place: Place): Finding[] {
  if (here.kinds.size === 0 || there.kinds.size === 0) return []
  const all = new Set([...here.kinds.keys(), ...there.kinds.keys()])
  const isDisjoint = ![...here.kinds.keys()].some((kind) => there.kinds.has(kind))
  const others = [...all].filter((kind) => isDifferent(tallyOf(here, kind), tallyOf(there, kind)))
  const hasFractions = here.kinds.has('number') && isDifferent(here.fractions, there.fractions)
  if (!isDisjoint && others.length === 0 && !hasFractions) return []
  const isOther = (value: unknown): boolean =>
    isDisjoint || others.includes(kindOf(value) as Kind) || (hasFractions && isFraction(value))
  const isThere = isDisjoint || others.some((kind) => there.kinds.has(kind)) || hasFractions
  const side = isThere && !(hasFractions && isInteger(there)) ? 'there' : 'here'
  return [
    {
      kind: 'type',
      place,
      here: describeKinds(here),
      there: describeKinds(there),
      example: { side, place, matches: (value) => value !== null && isOther(value) },
    },
  ]
}

/** Returns the tally of a kind that a side may not have. */
function tallyOf({ kinds }: Facts, kind: Kind): Tally | undefined {
  if (kinds.has(kind)) return kinds.get(kind)
  const [known] = [...kinds.values()].map((tally) => tally ?? never)
  return { times: 0, of: known?.of ?? 0 }
}

function compareNulls(here: Facts, there: Facts, place: Place): Finding[] {
  if (!isDifferent(here.nulls, there.nulls)) return []
  const isThere = (there.nulls?.times ?? 0) > 0
  const example = {
    side: isThere ? 'there' : 'here',
    place,
    matches: (value: unknown) => value === null,
  } as const
  const texts = (tally: Tally | undefined): string => {
    if (tally?.of === Infinity) return tally.times > 0 ? 'null allowed' : 'never null'
    return tally?.times ? `null in ${tally.times} of ${tally.of}` : 'never null'
  }
  return [{ kind: 'null', place, here: texts(here.nulls), there: texts(there.nulls), example }]
}

/** Returns the kinds of values in words: `integer`, `string or object`. */
export function describeKinds(facts: Facts): string {
  const names = [...facts.kinds.keys()].map((kind) =>
    kind === 'number' && isInteger(facts) ? 'integer' : kind,
  )
  return names.join(' or ') || 'null'
}

function isInteger({ fractions }: Facts): boolean {
  return fractions?.times === 0
}

function isFraction(value: unknown): boolean {
  return typeof value === 'number' && !Number.isInteger(value)
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : typeof value
}
