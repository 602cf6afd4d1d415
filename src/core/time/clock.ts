import { wrongValue } from '../errors/check.ts'
import { type Duration, toMilliseconds } from './duration.ts'
import { type Instant, latest, toInstant } from './instant.ts'

/** The source of the time and of timers for a mock: the system clock, or a manual clock, which a test moves. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number
  /**
   * Calls back after the given milliseconds and returns a function that cancels the call. A background
   * call does not keep the process running.
   */
  after(milliseconds: number, callback: () => void, isBackground?: boolean): () => void
}

/**
 * A clock whose time can be moved; it continues to run unless it is a manual clock. Every fork of a mock has
 * such a clock of its own: the original clock also moves its forks forward, a fork moves alone.
 */
export interface MovableClock extends Clock {
  /**
   * Moves the time forward, by milliseconds or a text such as `'5s'`, and makes every call that becomes
   * due, in order. @throws MockError for an invalid duration
   */
  advance(time: Duration): void
  /**
   * Sets the time. A later time is reached as by `advance`; after an earlier time, pending calls keep their
   * remaining milliseconds. @throws MockError for an invalid time
   */
  set(time: Instant): void
  /** Sets the time back to the start, or to real time; pending calls keep their remaining milliseconds. */
  reset(): void
  /** Creates a clock that starts at the current time and can be moved independently. */
  fork(): MovableClock
}

/** A clock that moves only when advanced or set. */
export interface ManualClock extends MovableClock {
  fork(): ManualClock
}

/**
 * Creates a clock that stays at `start` until it is moved.
 * @throws MockError for an invalid time
 * @example const clock = createManualClock(); clock.advance('1m')
 */
export function createManualClock(start: Instant = Date.UTC(2026, 0, 1)): ManualClock {
  const now = toInstant(start)
  return createMovableClock({ now: () => now, after: () => () => {} })
}

/** Makes a clock movable; returns a clock that is already movable as is. */
export function toMovableClock(clock: Clock): MovableClock {
  return 'fork' in clock && 'set' in clock ? (clock as MovableClock) : createMovableClock(clock)
}

/** Creates a clock that runs as its source, plus the milliseconds that it was moved by. */
function createMovableClock(source: Clock): MovableClock {
  // The milliseconds that the original clock was advanced by, which all clocks share.
  let elapsed = 0
  const timers = new Set<Timer>()
  /** Called for every timer that is added while a clock advances. */
  const advancing = new Set<(timer: Timer) => void>()

  /** A clock that follows the original clock; a fork has additional milliseconds of its own. */
  function open(begin: number, isOriginal: boolean): MovableClock {
    let zero = begin - elapsed
    let ahead = 0
    /** The time as timers measure it, which neither `reset` nor an earlier time sets back. */
    const progress = (): number => source.now() + elapsed + ahead

    const isMoved = (timer: Timer): boolean => isOriginal || timer.clock === clock

    function move(milliseconds: number): void {
      if (isOriginal) elapsed += milliseconds
      else ahead += milliseconds
    }

    function run(milliseconds: number): void {
      const end = progress() + milliseconds
      const due: { at: number; timer: Timer }[] = []
      const add = (timer: Timer): void => {
        const at = progress() + timer.left()
        if (!isMoved(timer) || at > end) return
        // Most timers are set in the order in which they become due.
        due.splice(due.findLastIndex((one) => one.at <= at) + 1, 0, { at, timer })
      }
      timers.forEach(add)
      advancing.add(add)
      try {
        for (let next = due.shift(); next; next = due.shift()) {
          move(Math.max(0, next.at - progress()))
          if (timers.has(next.timer)) next.timer.call()
        }
      } finally {
        advancing.delete(add)
      }
      move(Math.max(0, end - progress()))
      for (const timer of timers) if (isMoved(timer)) timer.start()
    }

    const clock: MovableClock = {
      now: () => progress() + zero,
      after(milliseconds, callback, isBackground) {
        const due = progress() + milliseconds
        let stop = (): void => {}
        const timer: Timer = {
          clock,
          left: () => due - progress(),
          start() {
            stop()
            stop = source.after(Math.max(0, timer.left()), timer.call, isBackground)
          },
          cancel() {
            timers.delete(timer)
            stop()
          },
          call() {
            timer.cancel()
            callback()
          },
        }
        timers.add(timer)
        timer.start()
        for (const add of advancing) add(timer)
        return timer.cancel
      },
      advance(time) {
        const milliseconds = toMilliseconds(time)
        if (clock.now() + milliseconds > latest) {
          throw wrongValue('the duration', time, 'a shorter one')
        }
        run(milliseconds)
      },
      set(time) {
        const change = toInstant(time) - clock.now()
        if (change > 0) run(change)
        else zero += change
      },
      reset() {
        zero = -elapsed - ahead
      },
      fork: () => open(clock.now() - source.now(), false),
    }
    return clock
  }

  return open(0, true)
}

interface Timer {
  /** The clock that the timer was set on. */
  clock: MovableClock
  /** The remaining milliseconds. */
  left(): number
  /** Starts the timer of the source again, with the remaining milliseconds. */
  start(): void
  cancel(): void
  /** Makes the call, once. */
  call(): void
}
