import type { Clock } from '../../time/clock.ts'
import { MockError } from '../../errors/mock-error.ts'
import type { Exchange } from '../contract/exchange.ts'
import { write } from '../response/render.ts'
import type { MockResponse } from '../contract/messages.ts'

/** Turns every error into a response: the dialect writes a MockError; any other is a 500 with an id, reported. */
export function createFail(clock: Clock, onFailure: (error: unknown, doing: string) => void): Fail {
  let failures = 0

  /** Reports an unexpected error under an id; the client gets the id alone. */
  function toFailure({ method, path }: Exchange, error: unknown): MockError {
    const id = `${clock.now().toString(36)}-${(failures++).toString(36)}`
    onFailure(error, `answer ${method} "${path}" (${id})`)
    return new MockError(`Failed to answer: see "${id}" in the log of the mock.`, {
      code: 'FAILURE',
      extensions: { id },
    })
  }

  return (exchange, error) => {
    const problem = error instanceof MockError ? error : toFailure(exchange, error)
    if (problem.code !== 'NOT_FOUND') exchange.reasons.push(problem.message)
    return write(exchange, exchange.service.dialect.renderError(problem, exchange))
  }
}

/** Returns the response of an error. */
export type Fail = (exchange: Exchange, error: unknown) => MockResponse
