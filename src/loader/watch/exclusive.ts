/** Creates a queue of functions that run one at a time, such as scans that must not overlap. */
export function createExclusive(): Exclusive {
  let queue: Promise<unknown> = Promise.resolve()
  return (run) => {
    const result = queue.then(run)
    queue = result.catch(() => undefined)
    return result
  }
}

/** Runs a function after all earlier functions have ended, even if they failed. Settles as the function does. */
export type Exclusive = <T>(run: () => T | Promise<T>) => Promise<T>
