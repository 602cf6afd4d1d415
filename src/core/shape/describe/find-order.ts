import type { Json } from '../../json/json.ts'
import { inferredFormats } from '../formats.ts'
import type { ObjectStatistics } from '../statistics.ts'

/** Finds pairs of dates of which one is never later: both in at least three records, and different in at least one. */
export function findOrder(
  { fields = {} }: ObjectStatistics,
  readRecords: () => Iterable<Json>,
): [earlier: string, later: string][] {
  const times = Object.entries(fields).filter(([, { strings }]) => isTemporal(strings?.format))
  const pairs = times.flatMap(([first, one], index) =>
    times
      .slice(index + 1)
      .filter(([, other]) => one.strings?.format === other.strings?.format)
      .map(([second]): Pair => ({ first, second, both: 0, before: 0, after: 0 })),
  )
  if (pairs.length === 0) return []
  for (const record of readRecords()) {
    const values = record as Readonly<Record<string, unknown>>
    for (const pair of pairs) count(pair, values[pair.first], values[pair.second])
  }
  return pairs.flatMap(({ first, second, both, before, after }): [string, string][] => {
    if (both < evidence) return []
    if (before > 0 && after === 0) return [[first, second]]
    return after > 0 && before === 0 ? [[second, first]] : []
  })
}

const evidence = 3

interface Pair {
  first: string
  second: string
  both: number
  /** The number of records in which the first date is earlier than the second. */
  before: number
  /** The number of records in which the first date is later than the second. */
  after: number
}

function count(pair: Pair, first: unknown, second: unknown): void {
  if (typeof first !== 'string' || typeof second !== 'string') return
  const order = compareTimes(first, second)
  pair.both++
  if (order < 0) pair.before++
  if (order > 0) pair.after++
}

function compareTimes(first: string, second: string): number {
  // Times in UTC with the same digits sort as texts.
  const areTexts = first.length === second.length && isUtc(first) && isUtc(second)
  if (areTexts) return first < second ? -1 : Number(first > second)
  return Date.parse(first) - Date.parse(second)
}

function isUtc(text: string): boolean {
  return text.endsWith('Z') || text.length === 10
}

function isTemporal(format: string | undefined): boolean {
  return inferredFormats.some(({ name, isTemporal }) => name === format && isTemporal === true)
}
