import { MockError } from './errors.ts'
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
  if (typeof duration === 'number' && duration >= 0 && duration < Infinity) return duration
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(String(duration).trim())
  const unit = units[match?.[2] ?? 'ms']
  if (match && unit !== undefined) return Number(match[1]) * unit
  throw new MockError(
    `Failed to read the duration ${JSON.stringify(duration)}: it is none. Please write milliseconds, or a text such as "200ms", "2s", "1m".`,
    { code: 'CONFIG_INVALID' },
  )
}

/**
 * Makes the function that draws a delay in milliseconds.
 * @throws MockError when it is none
 */
export function createDelay(delay: Delay): (random: Random) => number {
  if (typeof delay === 'string' && delay.includes('-')) {
    const [min = '', max = ''] = delay.split('-', 2)
    const unit = /[a-z]+\s*$/.exec(max)?.[0] ?? ''
    return between(
      toMilliseconds(/\d\s*$/.test(min) ? min.trim() + unit : min),
      toMilliseconds(max),
    )
  }
  if (typeof delay !== 'object') {
    const fixed = toMilliseconds(delay)
    return () => fixed
  }
  if ('min' in delay) return between(toMilliseconds(delay.min), toMilliseconds(delay.max))
  const { sigma = 0.5 } = delay
  const median = toMilliseconds(delay.median)
  return (random) => Math.round(median * Math.exp(sigma * normal(random)))
}

function between(min: number, max: number): (random: Random) => number {
  return (random) => Math.round(min + random() * (max - min))
}

/** A number of the standard normal distribution (Box and Muller). */
function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}
