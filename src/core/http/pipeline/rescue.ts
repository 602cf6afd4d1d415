import type { MaybePromise } from '../contract/messages.ts'

/** Runs a function; continues with `next` when it throws or its promise rejects. */
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
