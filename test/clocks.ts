import { type Clock, createManualClock, type ManualClock } from '../src/index.ts'

/** Creates a clock whose timers fire at once and advance its time. */
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

/** Creates a clock that advances by a step, in milliseconds, on every turn of the event loop while timers wait. */
export function createSteppingClock(step: number): Clock {
  const clock = createManualClock()
  let waiting = 0
  const advance = (): void => {
    clock.advance(step)
    if (waiting > 0) onNextTurn(advance)
  }
  return {
    now: clock.now,
    after(milliseconds, callback) {
      let isWaiting = true
      const end = (): void => {
        if (isWaiting) waiting--
        isWaiting = false
      }
      if (waiting++ === 0) onNextTurn(advance)
      const cancel = clock.after(milliseconds, () => {
        end()
        callback()
      })
      return () => {
        end()
        cancel()
      }
    },
  }
}

/** Creates a manual clock that counts the calls that wait for it. */
export function createCountingClock(): { clock: ManualClock; waiting: () => number } {
  const { after, ...manual } = createManualClock()
  const calls = new Set<object>()
  const clock: ManualClock = {
    ...manual,
    after(milliseconds, callback) {
      const call = {}
      calls.add(call)
      const cancel = after(milliseconds, () => {
        calls.delete(call)
        callback()
      })
      return () => {
        calls.delete(call)
        cancel()
      }
    },
    // The calls of a fork count too, and advance with the original.
    fork: () => clock,
  }
  return { clock, waiting: () => calls.size }
}

/** Calls back after the current tasks. Pages have no `setImmediate`, so a message port replaces it. */
export function onNextTurn(callback: () => void): void {
  if (typeof setImmediate === 'function') return void setImmediate(callback)
  const { port1, port2 } = new MessageChannel()
  port1.addEventListener('message', () => {
    port1.close()
    callback()
  })
  port1.start()
  port2.postMessage(null)
}
