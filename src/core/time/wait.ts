import type { Clock } from './clock.ts'

/**
 * Returns a promise that resolves once the clock of the mock has advanced by the given milliseconds; returns
 * undefined for zero or less, so that the caller can continue without a promise.
 */
export function wait(clock: Clock, milliseconds: number): Promise<void> | undefined {
  if (milliseconds <= 0) return undefined
  return new Promise((resolve) => void clock.after(milliseconds, resolve))
}
