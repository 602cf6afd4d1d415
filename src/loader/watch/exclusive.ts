/** Runs a function after all functions passed before have ended, also those that failed. */
export type Exclusive = <T>(run: () => T | Promise<T>) => Promise<T>

/** Creates a queue of functions, which run one at a time. */
export function createExclusive(): Exclusive {
  let queue: Promise<unknown> = Promise.resolve()
  return (run) => {
    const result = queue.then(run)
    queue = result.catch(() => undefined)
    return result
  }
}
