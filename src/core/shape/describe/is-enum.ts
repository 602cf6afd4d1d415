import type { StringStatistics } from '../statistics.ts'

/**
 * Whether the texts at one place of the data are the values of an enum, by the evidence for schemas and types or
 * by the stronger evidence for differences. A value has no white space. A single value is no enum, because a
 * second value may follow.
 */
export function isEnum(
  { count, format, values }: StringStatistics,
  evidence: readonly EnumEvidence[] = enumEvidence,
): boolean {
  const { distinct, frequencies, isSample } = values
  if (format !== undefined || isSample || distinct < 2) return false
  return evidence.some(
    (least) =>
      distinct <= least.distinct &&
      count >= Math.max(least.count, distinct * least.perValue) &&
      frequencies.every(([value, times]) => times >= least.times && namePattern.test(value)),
  )
}

interface EnumEvidence {
  /** The most different values. */
  distinct: number
  /** The fewest texts at the place. */
  count: number
  /** The fewest texts for each different value. */
  perValue: number
  /** The fewest times that each value occurs. */
  times: number
}

/**
 * The evidence on which a value outside of the enum is a difference. If a tenth of all records have a value, the
 * value is missing from 30 records in one case of 25, so that fewer records prove too little.
 */
export const strongEnumEvidence: readonly EnumEvidence[] = [
  { distinct: 20, count: 30, perValue: 10, times: 3 },
]

/** The evidence for schemas, types and forms, where a missing value costs little: fixtures have few records. */
const enumEvidence: readonly EnumEvidence[] = [
  { distinct: 4, count: 12, perValue: 3, times: 2 },
  ...strongEnumEvidence,
]

/** A value of an enum is a short name, not a sentence. */
const namePattern = /^\S{1,40}$/
