import type { Clock } from '../../core/time/clock.ts'
import type { ObjectStorage } from './runtime.ts'

/**
 * Creates the clock of a Durable Object. A background timer sets the alarm, which creates a discarded object
 * again, so that no timer keeps it in memory. Other timers belong to a request in progress.
 */
export function createAlarmClock(storage: Pick<ObjectStorage, 'setAlarm'>): AlarmClock {
  const timers = new Set<Timer>()
  /** The time that the alarm is set to. */
  let alarm = Infinity
  let isScheduled = false

  /** Sets the alarm for the earliest timer, once for all timers that are set together. */
  function schedule(): void {
    if (isScheduled) return
    isScheduled = true
    queueMicrotask(() => {
      isScheduled = false
      const earliest = Math.min(...Array.from(timers, ({ at }) => at))
      if (earliest >= alarm) return
      alarm = earliest
      void storage.setAlarm(earliest)
    })
  }

  return {
    now: () => Date.now(),
    after(milliseconds, callback, isBackground = milliseconds > 60_000) {
      if (!isBackground) {
        const timer = setTimeout(callback, milliseconds)
        return () => clearTimeout(timer)
      }
      const timer = { at: Date.now() + milliseconds, callback }
      timers.add(timer)
      schedule()
      return () => void timers.delete(timer)
    },
    callDue() {
      const now = Date.now()
      const due = [...timers].filter(({ at }) => at <= now)
      for (const timer of due.toSorted((one, other) => one.at - other.at)) {
        // An earlier call may have cancelled the timer.
        if (timers.delete(timer)) timer.callback()
      }
      if (alarm <= now) alarm = Infinity
      if (timers.size > 0) schedule()
    },
    clear() {
      timers.clear()
      alarm = Infinity
    },
  }
}

/** The clock of a Durable Object, whose background timers the alarm of the object calls. */
export interface AlarmClock extends Clock {
  /** Calls every timer that is due, in order. */
  callDue(): void
  /** Cancels the background timers. */
  clear(): void
}

interface Timer {
  /** In milliseconds since 1970. */
  at: number
  callback: () => void
}
