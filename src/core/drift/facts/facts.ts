import type { Json } from '../../json/json.ts'

/** The facts of one side about the values at a place. Functions give those of inner places, as schemas recur. */
export interface Facts {
  nulls: Tally | undefined
  /** The kinds that occur, or that a schema allows. */
  kinds: ReadonlyMap<Kind, Tally | undefined>
  fractions: Tally | undefined
  texts?: TextFacts
  /** The fields of objects; undefined if the keys are data or nothing is known. */
  fields?: ReadonlyMap<string, FieldFacts>
  /** Whether objects can have fields that are not known. */
  isOpen?: boolean
  /** The values of objects whose keys are data. */
  values?: (() => Facts | undefined) | undefined
  items?: (() => Facts | undefined) | undefined
  /** Where a schema declares the values, as a URI with a JSON pointer. */
  declaredAt?: string | undefined
  example?: Json | undefined
}

/** Returns the kinds of values in words: `integer`, `string or object`. */
export function describeKinds(facts: Facts): string {
  const names = [...facts.kinds.keys()].map((kind) =>
    kind === 'number' && hasIntegers(facts) ? 'integer' : kind,
  )
  return names.join(' or ') || 'null'
}

/** Whether all numbers are integers. */
export function hasIntegers({ fractions }: Facts): boolean {
  return fractions?.count === 0
}

/** A type of values; null is counted apart. */
export type Kind = 'boolean' | 'number' | 'string' | 'array' | 'object'

/** The facts about the texts at a place that one side has. */
export interface TextFacts {
  count: number
  /** The format that all texts have, with enough evidence. */
  format?: string | undefined
  /** How many of the texts do not have a format; undefined if this is unknown. */
  without(format: string): Tally | undefined
  /** The texts with their frequencies, if they are the values of an enum. */
  choices?: ReadonlyMap<string, Tally | undefined> | undefined
  /** How often a text occurs; undefined if this is unknown. */
  tallyOf(text: string): Tally | undefined
  /** All texts, if they are known. */
  all?: readonly string[] | undefined
}

/** The facts about a field of objects that one side has. */
export interface FieldFacts {
  present: Tally | undefined
  absent: Tally | undefined
  facts(): Facts | undefined
}

/**
 * The count of the values at a place that have a property, such as being null; the evidence by which `mock drift`
 * decides whether two sides differ. For a schema, `total` is Infinity, and `count` is 0 if the schema forbids the
 * property. A tally is undefined if a schema allows the property but doesn't require it.
 */
export interface Tally {
  /** The number of values that have the property. */
  count: number
  /** The number of all values at the place. */
  total: number
}

/** The tally of a property that a schema forbids. */
export const forbidden: Tally = { count: 0, total: Infinity }

/** The tally of a property that occurs according to a schema. */
export const allowed: Tally = { count: Infinity, total: Infinity }

/** A difference is reported if its probability to be accidental is lower. */
const maxProbability = 1 / 300

/** The minimum number of values without a property that contradict a schema by which the property occurs. */
const minAbsences = 20

/**
 * Whether there is enough evidence that one side has a property and the other side lacks it. One value contradicts a
 * schema that forbids the property; 20 values without the property contradict a schema by which the property occurs.
 * For values on both sides, the probability that all values with the property are on one side by accident (Fisher's
 * exact test) has to be below a third of a percent: 8 of 60 values are enough against 60.
 */
export function isDifferent(here: Tally | undefined, there: Tally | undefined): boolean {
  if (!here || !there || here.count > 0 === there.count > 0) return false
  const [has, lacks] = here.count > 0 ? [here, there] : [there, here]
  if (lacks.total === 0) return false
  if (lacks.total === Infinity) return true
  return has.total === Infinity
    ? lacks.total >= minAbsences
    : probability(has, lacks.total) < maxProbability
}

/** The probability that all values with a property are on the side that has them. */
function probability({ count, total }: Tally, others: number): number {
  let share = 1
  for (let at = 0; at < count && share >= maxProbability; at++)
    share *= (total - at) / (total + others - at)
  return share
}
