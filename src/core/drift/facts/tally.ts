/**
 * The count of the values at a place that have a property, such as being null; the evidence by which `mock drift`
 * decides whether two sides differ. For a schema, `of` is Infinity, and `times` is 0 if the schema forbids the
 * property. A tally is undefined if a schema allows the property but doesn't require it.
 */
export interface Tally {
  /** The number of values that have the property. */
  times: number
  /** The number of all values at the place. */
  of: number
}

/** The tally of a property that a schema forbids. */
export const never: Tally = { times: 0, of: Infinity }

/** The tally of a property that occurs according to a schema. */
export const sometimes: Tally = { times: Infinity, of: Infinity }

/** A difference is reported if its probability to be accidental is lower. */
const maxProbability = 1 / 1000

/** The minimum number of values without a property that contradict a schema by which the property occurs. */
const minAbsences = 20

/**
 * Whether there is enough evidence that one side has a property and the other side lacks it. One value contradicts a
 * schema that forbids the property; 20 values without the property contradict a schema by which the property occurs.
 * For values on both sides, the probability that all values with the property are on one side by accident (Fisher's
 * exact test) has to be below 0.1 %.
 */
export function isDifferent(here: Tally | undefined, there: Tally | undefined): boolean {
  if (!here || !there || here.times > 0 === there.times > 0) return false
  const [has, lacks] = here.times > 0 ? [here, there] : [there, here]
  if (lacks.of === 0) return false
  if (lacks.of === Infinity) return true
  return has.of === Infinity ? lacks.of >= minAbsences : probability(has, lacks.of) < maxProbability
}

/** The probability that all values with a property are on the side that has them. */
function probability({ times, of }: Tally, others: number): number {
  let share = 1
  for (let at = 0; at < times && share >= maxProbability; at++)
    share *= (of - at) / (of + others - at)
  return share
}
