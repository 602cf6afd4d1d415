import type { StringStatistics } from '../statistics.ts'

/**
 * The evidence for an enum. A value that a tenth of all records have is missing from 30 records in one case
 * of 25, so that fewer records say too little.
 */
const evidence = {
  /** The fewest texts at the place. */
  count: 30,
  /** The fewest texts for each different value. */
  perValue: 10,
  /** The fewest times that each value occurs. */
  times: 3,
  /** The most different values. */
  distinct: 20,
}

/** A value of an enum is a short name, not a sentence. */
const namePattern = /^\S{1,40}$/

/**
 * Whether texts are the values of an enum: at least 30 texts with 2 to 20 different values, at least 10 times
 * as many texts as values, and each value at least 3 times and without white space. A single value is no
 * enum, as the second value may be still to come.
 */
export function isEnum({ count, format, values }: StringStatistics): boolean {
  const { distinct, frequencies, isSample } = values
  if (format !== undefined || isSample || distinct < 2 || distinct > evidence.distinct) return false
  return (
    count >= Math.max(evidence.count, distinct * evidence.perValue) &&
    frequencies.every(([value, times]) => times >= evidence.times && namePattern.test(value))
  )
}
