/**
 * The source of the current time and of timers for all parts of a mock: the system clock, or a manual
 * clock, whose time a test moves.
 */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number
  /**
   * Calls back after the given milliseconds and returns a function that cancels the call. A background
   * call does not keep the process running.
   */
  after(milliseconds: number, callback: () => void, isBackground?: boolean): () => void
  /** Moves the time of a manual clock forward. */
  advance?(milliseconds: number): void
  /** Sets the time back to the start; pending calls keep their remaining milliseconds. */
  reset?(): void
  /** Creates a clock that starts at the current time and can be advanced independently. */
  fork?(): Clock
}

/** A clock that moves only when advanced. The original clock also advances its forks; a fork moves alone. */
export interface ManualClock extends Clock {
  /** Moves time forward and makes every call that becomes due, in order. */
  advance(milliseconds: number): void
  reset(): void
  fork(): ManualClock
}

/**
 * Creates a clock that stays at `start` (milliseconds since 1970) until it is advanced.
 * @example const clock = createManualClock(); clock.advance(60_000)
 */
export function createManualClock(start: number = Date.UTC(2026, 0, 1)): ManualClock {
  // The milliseconds that the original clock was advanced by, which all clocks share.
  let elapsed = 0
  const timers = new Set<Timer>()

  /** A clock that follows the original clock; a fork has additional milliseconds of its own. */
  function open(begin: number, isOriginal: boolean): ManualClock {
    let zero = begin - elapsed
    let ahead = 0
    const clock: ManualClock = {
      now: () => zero + elapsed + ahead,
      after(milliseconds, callback) {
        const due = elapsed + ahead + milliseconds
        const timer = { clock, left: () => due - elapsed - ahead, callback }
        timers.add(timer)
        return () => void timers.delete(timer)
      },
      advance(milliseconds) {
        for (let left = milliseconds; ;) {
          let next: Timer | undefined
          for (const timer of timers) {
            const isAffected = isOriginal || timer.clock === clock
            if (isAffected && (!next || timer.left() < next.left())) next = timer
          }
          const step = Math.min(left, Math.max(0, next?.left() ?? left))
          if (isOriginal) elapsed += step
          else ahead += step
          left -= step
          if (!next || next.left() > 0) return
          timers.delete(next)
          next.callback()
        }
      },
      reset() {
        zero += start - clock.now()
      },
      fork: () => open(clock.now(), false),
    }
    return clock
  }

  return open(start, true)
}

interface Timer {
  /** The clock that the timer was set on. */
  clock: ManualClock
  /** The remaining milliseconds. */
  left(): number
  callback(): void
}
