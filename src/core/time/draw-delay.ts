import type { DelaySpan } from './duration.ts'
import type { Random } from './random.ts'

/** Draws a delay in milliseconds: uniform between `min` and `max`, or log-normal with `median` and `sigma`. */
export function drawDelay(delay: DelaySpan, random: Random): number {
  if ('median' in delay) return Math.round(delay.median * Math.exp(delay.sigma * normal(random)))
  const { min, max } = delay
  return min === max ? min : Math.round(min + random() * (max - min))
}

/** Draws a number of the standard normal distribution (Box–Muller transform). */
function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}
