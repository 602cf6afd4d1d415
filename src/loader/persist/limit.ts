/** Runs an asynchronous function as soon as fewer functions than the limit are running. */
export type Limit = <T>(run: () => Promise<T>) => Promise<T>

/**
 * Creates a limit of functions that run at the same time; the others wait in the order of the calls. Each
 * file that is open needs one of the file handles of the process.
 */
export function createLimit(count: number): Limit {
  let running = 0
  const waiting: (() => void)[] = []
  let next = 0
  const leave = (): void => {
    running--
    waiting[next++]?.()
    // Removing each function from the front would move all others.
    if (next < waiting.length) return
    waiting.length = 0
    next = 0
  }
  return async (run) => {
    if (running >= count) await new Promise<void>((enter) => waiting.push(enter))
    running++
    try {
      return await run()
    } finally {
      leave()
    }
  }
}
