/** Runs a function after all earlier functions have ended, even if they failed. */
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
