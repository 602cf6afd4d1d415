import type { MaybePromise } from '../contract/messages.ts'

/** Does something; where that fails, at once or later, goes on with the error. */
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
