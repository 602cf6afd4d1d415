import { type Clock, createManualClock } from '../src/index.ts'

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

/** A clock that moves on by so many milliseconds whenever nothing else is to be done and somebody waits. */
export function createSteppingClock(step: number): Clock {
  const clock = createManualClock()
  let waiting = 0
  const move = (): void => {
    clock.advance(step)
    if (waiting > 0) onNextTurn(move)
  }
  return {
    now: clock.now,
    after(milliseconds, callback) {
      let isWaiting = true
      const end = (): void => {
        if (isWaiting) waiting--
        isWaiting = false
      }
      if (waiting++ === 0) onNextTurn(move)
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

/** Calls back when all that is ready has run; pages have no `setImmediate`, but ports of messages. */
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
