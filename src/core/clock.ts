/** Where the core gets the time and its timers from, so that a test never waits. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number
  /**
   * Calls back after that many milliseconds; what it returns cancels the call. A program may end
   * before a call in the background.
   */
  after(milliseconds: number, callback: () => void, isBackground?: boolean): () => void
}

/** A clock that only moves when it is told to. */
export interface ManualClock extends Clock {
  /** Moves time on and makes every call that falls due, in order. */
  advance(milliseconds: number): void
}

/** Creates a clock that stands still at `start` (milliseconds since 1970) until it is advanced. */
export function createManualClock(start: number = Date.UTC(2026, 0, 1)): ManualClock {
  let time = start
  let timers: { due: number; callback: () => void }[] = []
  return {
    now: () => time,
    after(milliseconds, callback) {
      const timer = { due: time + milliseconds, callback }
      timers.push(timer)
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
    advance(milliseconds) {
      const end = time + milliseconds
      for (;;) {
        const due = timers.filter((timer) => timer.due <= end).sort((a, b) => a.due - b.due)[0]
        if (!due) break
        timers = timers.filter((other) => other !== due)
        time = Math.max(time, due.due)
        due.callback()
      }
      time = end
    },
  }
}

/** Resolves after that many milliseconds of the clock. */
export function wait(clock: Clock, milliseconds: number): Promise<void> {
  return new Promise((resolve) => void clock.after(milliseconds, resolve))
}
