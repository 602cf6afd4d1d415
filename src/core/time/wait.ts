import type { Clock } from './clock.ts'

/** Resolves after the given milliseconds of the clock; undefined for no delay. */
export function wait(clock: Clock, milliseconds: number): Promise<void> | undefined {
  if (milliseconds <= 0) return undefined
  return new Promise((resolve) => void clock.after(milliseconds, resolve))
}
