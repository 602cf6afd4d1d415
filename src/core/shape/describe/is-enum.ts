import type { StringStatistics } from '../statistics.ts'

/**
 * Whether the texts at one place of the data are the values of an enum: at least 30 texts with 2 to 20
 * different values, at least 10 times as many texts as values, and each value at least 3 times and without
 * white space. A single value is no enum, because a second value may follow.
 */
export function isEnum({ count, format, values }: StringStatistics): boolean {
  const { distinct, frequencies, isSample } = values
  if (format !== undefined || isSample || distinct < 2 || distinct > evidence.distinct) return false
  return (
    count >= Math.max(evidence.count, distinct * evidence.perValue) &&
    frequencies.every(([value, times]) => times >= evidence.times && namePattern.test(value))
  )
}

/**
 * The evidence for an enum. If a tenth of all records have a value, the value is missing from 30 records in one
 * case of 25, so that fewer records prove too little.
 */
const evidence = {
  count: 30,
  /** The fewest texts for each different value. */
  perValue: 10,
  /** The fewest times that each value occurs. */
  times: 3,
  distinct: 20,
}

/** A value of an enum is a short name, not a sentence. */
const namePattern = /^\S{1,40}$/
