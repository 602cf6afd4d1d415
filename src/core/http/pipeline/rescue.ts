import type { MaybePromise } from '../contract/messages.ts'

/**
 * Runs a function and returns its value or promise; if the function throws or the promise rejects,
 * calls `next` with the error and returns the result of `next`.
 */
export function rescue<T>(
  run: () => MaybePromise<T>,
  next: (error: unknown) => MaybePromise<T>,
): MaybePromise<T> {
  try {
    const value = run()
    return value instanceof Promise ? value.catch(next) : value
  } catch (error) {
    return next(error)
  }
}
