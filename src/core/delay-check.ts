import type { Check } from './check.ts'
import { type Delay, delayWords, readDelay } from './duration.ts'

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
