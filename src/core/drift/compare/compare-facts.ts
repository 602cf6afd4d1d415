import { type Place, toAnyValue, toElement } from '../../shape/place.ts'
import type { Difference } from '../difference.ts'
import {
  describeKinds,
  type Facts,
  hasIntegers,
  isDifferent,
  type Kind,
  type Tally,
  type TextFacts,
  type FieldFacts,
} from '../facts/facts.ts'
import { formatNamed } from '../facts/from-statistics.ts'
import { type Pair, toDifference } from './to-difference.ts'
import { findRenames, type LoneField } from './renames.ts'

/** Compares what both sides know of the values of a resource, at all places in its records. */
export function compareFacts(pair: Pair): Difference[] {
  return compareAt(pair, pair.here.facts, pair.there.facts, [])
}

function compareAt(
  pair: Pair,
  here: Facts | undefined,
  there: Facts | undefined,
  place: Place,
): Difference[] {
  if (!here || !there || place.length > maxDepth) return []
  const kinds = compareKinds(pair, here, there, place)
  const areBoth = (kind: Kind): boolean => here.kinds.has(kind) && there.kinds.has(kind)
  const inside = (key: 'values' | 'items', step: string): Difference[] =>
    compareAt(pair, here[key]?.(), there[key]?.(), [...place, step])
  return [
    ...kinds,
    ...compareNulls(pair, here, there, place),
    ...(areBoth('string') && kinds.length === 0 ? compareTexts(pair, here, there, place) : []),
    ...(areBoth('object') ? compareFields(pair, here, there, place, compareAt) : []),
    ...(areBoth('object') ? inside('values', toAnyValue) : []),
    ...(areBoth('array') ? inside('items', toElement) : []),
  ]
}

/** The deepest place that is compared, because schemas can be recursive. */
const maxDepth = 12

function compareKinds(pair: Pair, here: Facts, there: Facts, place: Place): Difference[] {
  if (here.kinds.size === 0 || there.kinds.size === 0) return []
  const all = new Set([...here.kinds.keys(), ...there.kinds.keys()])
  const isDisjoint = ![...here.kinds.keys()].some((kind) => there.kinds.has(kind))
  const others = [...all].filter((kind) => isDifferent(tallyOf(here, kind), tallyOf(there, kind)))
  const hasFractions = here.kinds.has('number') && isDifferent(here.fractions, there.fractions)
  if (!isDisjoint && others.length === 0 && !hasFractions) return []
  const isOther = (value: unknown): boolean =>
    isDisjoint ||
    others.some((kind) => kind === kindOf(value)) ||
    (hasFractions && typeof value === 'number' && !Number.isInteger(value))
  const isThere = isDisjoint || others.some((kind) => there.kinds.has(kind)) || hasFractions
  const side = isThere && !(hasFractions && hasIntegers(there)) ? 'there' : 'here'
  const matches = (value: unknown): boolean => value !== null && isOther(value)
  const words = { here: describeKinds(here), there: describeKinds(there) }
  return [toDifference(pair, { kind: 'type', place, ...words }, { side, place, matches })]
}

function tallyOf({ kinds }: Facts, kind: Kind): Tally | undefined {
  if (kinds.has(kind)) return kinds.get(kind)
  const [tally] = kinds.values()
  return { count: 0, total: kinds.size > 0 ? (tally?.total ?? Infinity) : 0 }
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : typeof value
}

function compareNulls(
  pair: Pair,
  { nulls: here }: Facts,
  { nulls: there }: Facts,
  place: Place,
): Difference[] {
  if (!isDifferent(here, there)) return []
  const side = (there?.count ?? 0) > 0 ? 'there' : 'here'
  const words = { here: describeNulls(here), there: describeNulls(there) }
  const example = { side, place, matches: (value: unknown) => value === null } as const
  return [toDifference(pair, { kind: 'null', place, ...words }, example)]
}

function describeNulls(nulls: Tally | undefined): string {
  if (!nulls?.count) return 'never null'
  return nulls.total === Infinity ? 'null allowed' : `null in ${nulls.count} of ${nulls.total}`
}

function compareTexts(pair: Pair, here: Facts, there: Facts, place: Place): Difference[] {
  if (!here.texts || !there.texts) return []
  const format = compareFormats(pair, here.texts, there.texts, place)
  return format ? [format] : compareChoices(pair, here.texts, there.texts, place)
}

function compareFormats(
  pair: Pair,
  here: TextFacts,
  there: TextFacts,
  place: Place,
): Difference | undefined {
  const lost = here.format !== undefined && lacks(there, here, here.format)
  const gained = there.format !== undefined && lacks(here, there, there.format)
  if (!lost && !gained) return undefined
  const test = here.format === undefined ? undefined : formatNamed(here.format)
  const matches = (value: unknown): boolean => typeof value === 'string' && test?.(value) !== true
  const words = { here: here.format ?? 'another format', there: there.format ?? 'another format' }
  return toDifference(pair, { kind: 'format', place, ...words }, { side: 'there', place, matches })
}

function lacks(texts: TextFacts, formatted: TextFacts, format: string): boolean {
  const without = texts.without(format)
  if (!without) return false
  // If each side has a format that no text of the other side has, there is evidence on both sides.
  const back = texts.format === undefined ? undefined : formatted.without(texts.format)
  if (isAlways(without) && back && isAlways(back)) return true
  return isDifferent({ count: 0, total: formatted.count }, without)
}

function isAlways({ count, total }: Tally): boolean {
  return total > 0 && count === total
}

function compareChoices(pair: Pair, here: TextFacts, there: TextFacts, place: Place): Difference[] {
  const isDeclared = here.count === Infinity || there.count === Infinity
  const areBoth = here.choices !== undefined && there.choices !== undefined
  if (!here.choices && !there.choices) return []
  if (!isDeclared && !overlap(here.choices, there.choices)) return []
  const values = new Set([...valuesOf(here), ...valuesOf(there)])
  const differing = [...values].filter((text) => {
    const [own, other] = [here.tallyOf(text), there.tallyOf(text)]
    // A value that is declared and not seen is rare, unless the values seen are an enum too.
    return isDifferent(own, other) && (areBoth || hasSeen(own) || hasSeen(other))
  })
  if (differing.length === 0) return []
  const isMore = differing.filter((text) => (there.tallyOf(text)?.count ?? 0) > 0)
  const isLess = differing.filter((text) => !isMore.includes(text))
  const words = {
    here: isLess.length > 0 ? quoteAll(isLess) : `no ${quoteAll(isMore)}`,
    there: isMore.length > 0 ? quoteAll(isMore) : `no ${quoteAll(isLess)}`,
  }
  const side = isMore.length > 0 ? 'there' : 'here'
  const matches = (value: unknown): boolean => differing.some((text) => text === value)
  const choices = { gone: isLess, added: isMore }
  return [toDifference(pair, { kind: 'enum', place, ...words, choices }, { side, place, matches })]
}

function hasSeen(tally: Tally | undefined): boolean {
  return tally !== undefined && tally.total !== Infinity && tally.count > 0
}

/** Whether both are enums, and at least half of the values of the smaller enum are in the larger enum. */
function overlap(own: TextFacts['choices'], other: TextFacts['choices']): boolean {
  if (!own || !other) return false
  const shared = [...own.keys()].filter((text) => other.has(text)).length
  return shared * 2 >= Math.min(own.size, other.size)
}

function valuesOf({ choices, all = [] }: TextFacts): Iterable<string> {
  return choices?.keys() ?? all
}

function quoteAll(texts: readonly string[]): string {
  const shown = texts.slice(0, 5).map((text) => JSON.stringify(text))
  return (
    shown.join(', ') +
    (texts.length > shown.length ? ` and ${texts.length - shown.length} more` : '')
  )
}

/** Compares the fields of objects at a place: lone, renamed and optional fields, and values. */
function compareFields(
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
