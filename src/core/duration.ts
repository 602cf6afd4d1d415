import { cannotBe, type Check, checkOptions, isAmount } from './check.ts'
import type { Random } from './random.ts'

/** A length of time: milliseconds, or a text such as `200ms`, `2s`, `1m`, `1h`, `1d`. */
export type Duration = number | string

/** A length of time that may differ from one time to the next. */
export type Delay =
  | Duration
  /** A range, both ends included; as a text `200-800`. */
  | { min: Duration; max: Duration }
  /** Log-normal: half of all are shorter than the median; the larger sigma, the longer the tail. */
  | { median: Duration; sigma?: number }

const units: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/**
 * Reads a duration in milliseconds.
 * @throws MockError when it is none
 */
export function toMilliseconds(duration: Duration): number {
  const milliseconds = parse(duration)
  if (milliseconds === undefined) throw cannotBe('the duration', duration, isDuration[1])
  return milliseconds
}

/** A duration. */
export const isDuration: Check = [
  (value) => parse(value) !== undefined,
  'milliseconds, or a text such as "200ms", "2s", "1m"',
]

/** A duration, or what one is drawn from. */
export const isDelay: Check = [
  (value) => {
    try {
      createDelay(value as Delay)
      return true
    } catch {
      return false
    }
  },
  'milliseconds, a range such as "200-800", {"min":200,"max":"1s"} or {"median":200}',
]

function parse(duration: unknown): number | undefined {
  if (typeof duration === 'number')
    return duration >= 0 && duration < Infinity ? duration : undefined
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(
    typeof duration === 'string' ? duration.trim() : '',
  )
  const unit = units[match?.[2] ?? 'ms']
  return match && unit !== undefined ? Number(match[1]) * unit : undefined
}

/**
 * Makes the function that draws a delay in milliseconds; `subject` is what errors call it.
 * @throws MockError when it is none
 */
export function createDelay(delay: Delay, subject = 'the delay'): (random: Random) => number {
  if (typeof delay === 'string' && delay.includes('-')) {
    const [from = '', to = ''] = delay.split('-', 2)
    const unit = /[a-z]+\s*$/.exec(to)?.[0] ?? ''
    const min = parse(/\d\s*$/.test(from) ? from.trim() + unit : from)
    const max = parse(to)
    return between(min, max) ?? refuse(subject, delay)
  }
  if (typeof delay !== 'object' || delay === null) {
    const fixed = parse(delay) ?? refuse(subject, delay)
    return () => fixed
  }
  if ('median' in delay) {
    checkOptions(subject, delay, { median: isDuration, sigma: isAmount }, ['median'])
    const { sigma = 0.5 } = delay
    const median = toMilliseconds(delay.median)
    return (random) => Math.round(median * Math.exp(sigma * normal(random)))
  }
  checkOptions(subject, delay, { min: isDuration, max: isDuration }, ['min', 'max'])
  return between(parse(delay.min), parse(delay.max)) ?? refuse(subject, delay)
}

function refuse(subject: string, delay: unknown): never {
  throw cannotBe(subject, delay, isDelay[1])
}

/** Undefined where that is no range. */
function between(
  min: number | undefined,
  max: number | undefined,
): ((random: Random) => number) | undefined {
  if (min === undefined || max === undefined || min > max) return undefined
  return (random) => Math.round(min + random() * (max - min))
}

/** A number of the standard normal distribution (Box and Muller). */
function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}
