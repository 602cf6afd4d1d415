import type { Clock } from '../src/index.ts'

/** A clock on which nothing has to be waited for: a timer moves time on and calls back at once. */
export function createInstantClock(start: number = Date.UTC(2026, 0, 1)): Clock {
  let time = start
  return {
    now: () => time,
    after(milliseconds, callback) {
      let isCancelled = false
      queueMicrotask(() => {
        if (isCancelled) return
        time += milliseconds
        callback()
      })
      return () => {
        isCancelled = true
      }
    },
  }
}
