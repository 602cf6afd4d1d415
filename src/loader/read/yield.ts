import { setImmediate } from 'node:timers/promises'

/**
 * Creates a function that a loop of synchronous calls over many files awaits after each step: the function yields to
 * the event loop if the loop has blocked it for 10 ms. For small files, synchronous calls need a tenth of the time of
 * asynchronous calls.
 */
export function createYield(): () => Promise<void> {
  let start = performance.now()
  return async () => {
    if (performance.now() - start < MAX_BLOCKED) return
    await setImmediate()
    start = performance.now()
  }
}

/** In milliseconds. */
const MAX_BLOCKED = 10
