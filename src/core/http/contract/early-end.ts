import type { MockError } from '../../errors/mock-error.ts'
import type { Clock } from '../../time/clock.ts'
import type { Exchange } from './exchange.ts'

/**
 * Ends a request before its response, as when the client has aborted the request: cancels the delays of the
 * request, and keeps the request from the next stage of the pipeline and from writing. `error` becomes the
 * response.
 */
export function endEarly(exchange: Exchange, error: MockError): void {
  exchange.ended = error
  for (const cancel of exchange.cancels ?? []) cancel(error)
}

/**
 * Returns a promise that resolves after the given milliseconds of the clock, and rejects at once when the
 * request ends early; returns undefined for zero or less, so that the caller can continue without a promise.
 */
export function pause(
  exchange: Exchange,
  clock: Clock,
  milliseconds: number,
): Promise<void> | undefined {
  if (milliseconds <= 0) return undefined
  return new Promise((resolve, reject) => {
    const cancels = (exchange.cancels ??= new Set())
    const cancel = (error: MockError): void => {
      stop()
      reject(error)
    }
    const stop = clock.after(milliseconds, () => {
      cancels.delete(cancel)
      resolve()
    })
    cancels.add(cancel)
  })
}

/** @throws MockError when the request has ended early */
export function throwIfEnded({ ended }: Exchange): void {
  if (ended) throw ended
}
