/** Where the core gets the time and its timers from, so that a test never waits. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number
  /**
   * Calls back after that many milliseconds; what it returns cancels the call. A program may end
   * before a call in the background.
   */
  after(milliseconds: number, callback: () => void, isBackground?: boolean): () => void
  /** Moves time on, where it stands still otherwise. */
  advance?(milliseconds: number): void
  /** Goes back to where it began; what waits goes on waiting for as long. */
  reset?(): void
  /** Makes a clock that goes on from here, and may be moved on its own. */
  fork?(): Clock
}

/** A clock that only moves when it is told to. Every fork of a mock has its own, which goes along with it. */
export interface ManualClock extends Clock {
  /** Moves time on and makes every call that falls due, in order. */
  advance(milliseconds: number): void
  reset(): void
  fork(): ManualClock
}

/** Creates a clock that stands still at `start` (milliseconds since 1970) until it is advanced. */
export function createManualClock(start: number = Date.UTC(2026, 0, 1)): ManualClock {
  let elapsed = 0
  const timers = new Set<Timer>()

  /** A clock that goes along with the first, and may get ahead of it. */
  function open(begin: number, isFirst: boolean): ManualClock {
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
            const isOurs = isFirst || timer.clock === clock
            if (isOurs && (!next || timer.left() < next.left())) next = timer
          }
          const step = Math.min(left, Math.max(0, next?.left() ?? left))
          if (isFirst) elapsed += step
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
  /** Whose it is. */
  clock: ManualClock
  /** For how many milliseconds it waits. */
  left(): number
  callback(): void
}
