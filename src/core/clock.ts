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
  let timers: Timer[] = []

  function drop(timer: Timer): void {
    timers = timers.filter((other) => other !== timer)
  }

  /** Lets time go by for some timers, and makes the calls that fall due. */
  function pass(
    milliseconds: number,
    isMeant: (timer: Timer) => boolean,
    move: (step: number) => void,
  ): void {
    for (let left = milliseconds; ;) {
      const [next] = timers.filter(isMeant).toSorted((a, b) => a.left() - b.left())
      const step = Math.min(left, Math.max(0, next?.left() ?? left))
      move(step)
      left -= step
      if (!next || next.left() > 0) return
      drop(next)
      next.callback()
    }
  }

  /** A clock that goes along with the first, and may get ahead of it. */
  function open(now: number): ManualClock {
    let zero = now - elapsed
    let ahead = 0
    const own = new WeakSet<Timer>()
    const read = (): number => zero + elapsed + ahead
    return {
      now: read,
      after(milliseconds, callback) {
        const due = elapsed + ahead + milliseconds
        const timer = { left: () => due - elapsed - ahead, callback }
        timers.push(timer)
        own.add(timer)
        return () => drop(timer)
      },
      advance(milliseconds) {
        pass(
          milliseconds,
          (timer) => own.has(timer),
          (step) => (ahead += step),
        )
      },
      reset() {
        zero += start - read()
      },
      fork: () => open(read()),
    }
  }

  return {
    ...open(start),
    advance(milliseconds) {
      pass(
        milliseconds,
        () => true,
        (step) => (elapsed += step),
      )
    },
  }
}

interface Timer {
  /** For how many milliseconds it waits. */
  left(): number
  callback(): void
}
