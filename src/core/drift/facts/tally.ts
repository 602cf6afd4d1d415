/**
 * How many of the values at a place have a property. A declared property has `of: Infinity`, and `times` 0
 * where no value may have it. Undefined where a declaration allows both and asks for neither.
 */
export interface Tally {
  times: number
  of: number
}

/** The tally of a property that a declaration rules out. */
export const never: Tally = { times: 0, of: Infinity }

/** The tally of a property that a declaration announces. */
export const sometimes: Tally = { times: Infinity, of: Infinity }

/** The most likely that a difference is an accident. */
const accident = 1 / 1000

/** The fewest values without a property that contradict a declaration that announces it. */
const silence = 20

/**
 * Whether one side has a property and the other does not, with enough evidence. A declaration that rules the property
 * out is contradicted by one value, and one that announces it by 20 values without it. For values on both sides, the
 * probability counts that all values with the property are on one side by accident (Fisher's exact test): it has to be
 * below 0.1 %.
 */
export function isDifferent(here: Tally | undefined, there: Tally | undefined): boolean {
  if (!here || !there || here.times > 0 === there.times > 0) return false
  const [has, lacks] = here.times > 0 ? [here, there] : [there, here]
  if (lacks.of === 0) return false
  if (lacks.of === Infinity) return true
  return has.of === Infinity ? lacks.of >= silence : probability(has, lacks.of) < accident
}

/** The probability that all values with a property are on the side that has them. */
function probability({ times, of }: Tally, others: number): number {
  let share = 1
  for (let at = 0; at < times && share >= accident; at++) share *= (of - at) / (of + others - at)
  return share
}
