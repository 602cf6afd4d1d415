import type { Clock } from '../../core/time/clock.ts'
import type { Platform } from '../../core/mock/core-mock.ts'
import { send } from './send.ts'

/** In milliseconds; timers that are longer run out at once. */
const longestTimer = 2 ** 31 - 1

const systemClock: Clock = {
  now: () => Date.now(),
  // What is far off, such as another try of a webhook, keeps no program from ending.
  after(milliseconds, callback, isBackground = milliseconds > 60_000) {
    let timer: ReturnType<typeof setTimeout>
    const start = (left: number): void => {
      const step = Math.min(left, longestTimer)
      timer = setTimeout(() => (left > step ? start(left - step) : callback()), step)
      if (isBackground && typeof timer === 'object') timer.unref()
    }
    start(milliseconds)
    return () => clearTimeout(timer)
  },
}

const encoder = new TextEncoder()

/** What every runtime has for the core: time, timers, UTF-8, requests to others, a console for failures. */
export const platform: Platform = {
  clock: systemClock,
  encode: (text) => encoder.encode(text),
  send,
  onFailure(error, doing) {
    console.error(`Failed to ${doing}:`, error)
  },
}
