import { MockError } from '../../errors/mock-error.ts'
import type { Clock } from '../../time/clock.ts'
import type { Exchange } from './exchange.ts'
import { isSafe } from './messages.ts'

/** Ends a request before its response with `error`: cancels its delays, later stages and writes. */
export function endEarly(exchange: Exchange, error: MockError): void {
  exchange.ended = error
  for (const cancel of exchange.cancels ?? []) cancel(error)
}

/** Waits on the clock, and rejects when the request ends early; returns undefined for zero or less. */
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

/** The waiting requests of a mock: an abort by its client ends one, a reset all that write. */
export interface Pending {
  /** Adds a request until `answered` settles. Returns a function to call when its client no longer waits. */
  add(exchange: Exchange, answered: Promise<unknown>): () => void
  /** Ends all requests that write: a reset has replaced the data that they were sent to change. */
  endWrites(): void
}

/** Creates an empty list of pending requests. */
export function createPending(): Pending {
  const all = new Set<Exchange>()
  return {
    add(exchange, answered) {
      all.add(exchange)
      const remove = (): void => void all.delete(exchange)
      answered.then(remove, remove)
      const stop = exchange.request.onAbort?.(() => endEarly(exchange, aborted()))
      return () => stop?.()
    },
    endWrites() {
      for (const exchange of all) if (!isSafe(exchange.method)) endEarly(exchange, wasReset())
    },
  }
}

/** Only the log shows this error, under the status that nginx logs for an aborted request. */
function aborted(): MockError {
  return new MockError('Failed to answer: the client aborted the request.', {
    status: 499,
    code: 'ABORTED',
  })
}

function wasReset(): MockError {
  return new MockError(
    'Failed to write: the mock was reset while the request waited. Please send the request again.',
    { status: 503, code: 'RESET' },
  )
}
