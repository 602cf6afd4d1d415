/** Creates a limit of functions that run at the same time and open files; further functions wait in order. */
export function createLimit(count: number): Limit {
  let running = 0
  const waiting: (() => void)[] = []
  return async (run) => {
    if (running < count) running++
    else await new Promise<void>((start) => waiting.push(start))
    try {
      return await run()
    } finally {
      // A waiting function takes over the place, so that no call can take the place before it.
      const start = waiting.shift()
      if (start) start()
      else running--
    }
  }
}

/** Runs an asynchronous function as soon as fewer functions than the limit are running. */
export type Limit = <T>(run: () => Promise<T>) => Promise<T>

/** The most files that are read at the same time. */
export const MAX_READS = 16
