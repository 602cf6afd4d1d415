import type { Clock } from './clock.ts'

/** Resolves after that many milliseconds of the clock. */
export function wait(clock: Clock, milliseconds: number): Promise<void> {
  return new Promise((resolve) => void clock.after(milliseconds, resolve))
}
