import { type Check, checkOptions, isAmount, wrongValue } from '../errors/check.ts'

/** A length of time: milliseconds, or a text such as `200ms`, `2s`, `1m`, `1h`, `1d`. */
export type Duration = number | string

/** A length of time that may differ from one time to the next. */
export type Delay =
  | Duration
  /** A range, both ends included; as a text `200-800`. */
  | { min: Duration; max: Duration }
  /** Log-normal: half of all are shorter than the median; the larger sigma, the longer the tail. */
  | { median: Duration; sigma?: number }

/** What a delay is drawn from, in milliseconds; nothing is drawn where both ends are the same. */
export type DelaySpan = { min: number; max: number } | { median: number; sigma: number }

const units: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/**
 * Reads a duration in milliseconds.
 * @throws MockError when it is none
 */
export function toMilliseconds(duration: Duration): number {
  const milliseconds = parse(duration)
  if (milliseconds === undefined) throw wrongValue('the duration', duration, isDuration[1])
  return milliseconds
}

/** A duration. */
export const isDuration: Check = [
  (value) => parse(value) !== undefined,
  'milliseconds, or a text such as "200ms", "2s", "1m"',
]

/** A duration above zero. */
export const isSpan: Check = [
  (value) => (parse(value) ?? 0) > 0,
  'milliseconds above 0, or a text such as "200ms", "2s", "1m"',
]

/** What a delay may be, in words. */
const delayWords =
  'milliseconds, a range such as "200-800", {"min":200,"max":"1s"} or {"median":200}'

/** A duration, or what one is drawn from. */
export const isDelay: Check = [
  (value) => {
    try {
      readDelay(value as Delay)
      return true
    } catch {
      return false
    }
  },
  delayWords,
]

function parse(duration: unknown): number | undefined {
  if (typeof duration === 'number') return isAmount[0](duration) ? duration : undefined
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(
    typeof duration === 'string' ? duration.trim() : '',
  )
  return match ? Number(match[1]) * (units[match[2] ?? 'ms'] ?? NaN) : undefined
}

/**
 * Reads what a delay is drawn from; `subject` is what errors call it.
 * @throws MockError when it is none
 */
export function readDelay(delay: Delay, subject = 'the delay'): DelaySpan {
  const between = (from: unknown, to: unknown): DelaySpan => {
    const min = parse(from) ?? NaN
    const max = parse(to) ?? NaN
    if (min <= max) return { min, max }
    throw wrongValue(subject, delay, delayWords)
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
