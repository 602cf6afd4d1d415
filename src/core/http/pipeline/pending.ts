import { MockError } from '../../errors/mock-error.ts'
import { endEarly } from '../contract/early-end.ts'
import type { Exchange } from '../contract/exchange.ts'
import { isSafe } from '../routing/methods.ts'

/**
 * The requests of a mock that wait for something, such as a delay or the rest of a body. The list ends a
 * request that its client aborts, and a reset ends all requests that write.
 */
export interface Pending {
  /**
   * Adds a request until `answered` settles; an abort by the client ends the request. Returns a function to
   * call when there is a response, because the client then no longer waits.
   */
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
