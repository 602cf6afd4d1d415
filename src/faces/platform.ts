import type { Clock } from '../core/clock.ts'
import type { Platform } from '../core/mock.ts'

const systemClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds)
    return () => clearTimeout(timer)
  },
}

const encoder = new TextEncoder()

/** What every runtime has for the core: the time, timers, UTF-8, and a console for what nobody expected. */
export const platform: Platform = {
  clock: systemClock,
  encode: (text) => encoder.encode(text),
  onFailure(error, { method, path, id }) {
    console.error(`Failed to answer ${method} "${path}" (${id}):`, error)
  },
}
