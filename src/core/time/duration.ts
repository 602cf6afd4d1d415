import { type Check, checkOptions, isAmount, wrongValue } from '../errors/check.ts'

/** A duration in an option: a number of milliseconds, or a string such as `200ms`, `2s`, `1h`, `1d`; milliseconds without a unit. */
export type Duration = number | string

/** A fixed or random delay. */
export type Delay =
  | Duration
  /** A uniform distribution, both ends included; as a string `200-800`. */
  | { min: Duration; max: Duration }
  /** A log-normal distribution: the larger `sigma`, the longer the tail. @default sigma 0.5 */
  | { median: Duration; sigma?: number }

/** A parsed delay, in milliseconds: a range, or the parameters of a log-normal distribution. */
export type DelaySpan = { min: number; max: number } | { median: number; sigma: number }

const units: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Converts a duration to milliseconds. @throws MockError for an invalid duration */
export function toMilliseconds(duration: unknown): number {
  const milliseconds = parse(duration)
  if (milliseconds === undefined) throw wrongValue('the duration', duration, isDuration[1])
  return milliseconds
}

/** A duration of at least zero. */
export const isDuration: Check = [
  (value) => parse(value) !== undefined,
  'milliseconds, or a text such as "200ms", "2s", "1m", of at most 36500d',
]

/** A duration above zero. */
export const isSpan: Check = [
  (value) => (parse(value) ?? 0) > 0,
  'milliseconds above 0, or a text such as "200ms", "2s", "1m", of at most 36500d',
]

/** A duration of at least a second, for times that the wire counts in whole seconds. */
export const isSeconds: Check = [
  (value) => (parse(value) ?? 0) >= 1000,
  'milliseconds from 1000 on, or a text such as "2s", "1m", of at most 36500d',
]

const validDelays =
  'milliseconds, a range such as "200-800", {"min":200,"max":"1s"} or {"median":200}'

/** A delay. */
export const isDelay: Check = [
  (value) => {
    try {
      readDelay(value as Delay)
      return true
    } catch {
      return false
    }
  },
  validDelays,
]

/** The longest duration: a century, within which every time is a valid `Date`. */
const longest = 36_500 * 86_400_000

/** Returns the milliseconds of a duration; undefined for an invalid duration. */
function parse(duration: unknown): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(
    typeof duration === 'string' ? duration.trim() : '',
  )
  const milliseconds = match ? Number(match[1]) * (units[match[2] ?? 'ms'] ?? NaN) : duration
  return isAmount[0](milliseconds) && Number(milliseconds) <= longest
    ? Number(milliseconds)
    : undefined
}

/**
 * Parses a delay; `subject` names the delay in errors.
 * @throws MockError for an invalid delay
 */
export function readDelay(delay: Delay, subject = 'the delay'): DelaySpan {
  const between = (from: unknown, to: unknown): DelaySpan => {
    const min = parse(from) ?? NaN
    const max = parse(to) ?? NaN
    if (min <= max) return { min, max }
    throw wrongValue(subject, delay, validDelays)
  }
  if (typeof delay === 'string' && delay.includes('-')) {
    const [from = '', to = ''] = delay.split('-', 2)
    const unit = /[a-z]+\s*$/.exec(to)?.[0] ?? ''
    return between(/\d\s*$/.test(from) ? from.trim() + unit : from, to)
  }
  if (typeof delay !== 'object' || delay === null) return between(delay, delay)
  if ('median' in delay) {
    checkOptions(subject, delay, { median: isDuration, sigma: isAmount }, ['median'])
    const { sigma = 0.5 } = delay
    return { median: parse(delay.median) ?? 0, sigma }
  }
  checkOptions(subject, delay, { min: isDuration, max: isDuration }, ['min', 'max'])
  return between(delay.min, delay.max)
}
