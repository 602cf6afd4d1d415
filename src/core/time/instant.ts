import { wrongValue } from '../errors/check.ts'
import { tagOf } from '../json/json.ts'

/** A point in time: milliseconds since 1970, a date such as `2026-05-01T12:00:00Z`, or a `Date`. */
export type Instant = number | string | Date

/**
 * Converts a point in time to milliseconds since 1970.
 * @throws MockError for a value that is no point in time
 */
export function toInstant(value: unknown): number {
  const isInstant =
    typeof value === 'string' ? iso.test(value) : /^(?:Number|Date)$/.test(tagOf(value))
  const time = typeof value === 'string' ? Date.parse(value) : Number(value)
  if (isInstant && Math.abs(time) <= latest) return time
  const expected = 'milliseconds since 1970, or a date such as "2026-05-01T12:00:00Z"'
  throw wrongValue('the time', value, expected)
}

/** The largest time of a `Date` (ECMA-262 §21.4.1.1). */
export const latest = 8.64e15

/** The format of dates that every runtime parses alike (ECMA-262 §21.4.1.32). */
const iso = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/
