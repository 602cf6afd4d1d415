import type { Clock } from '../../time/clock.ts'
import { MockError } from '../../errors/mock-error.ts'
import type { Exchange } from '../contract/exchange.ts'
import { write } from '../response/render.ts'
import type { MockResponse } from '../contract/messages.ts'

/** What an error needs to be told of. */
export interface FailOptions {
  clock: Clock
  /** Hears of a failure that nobody expected, and what it kept from being done. */
  onFailure(error: unknown, doing: string): void
}

/** Answers with an error. */
export type Fail = (exchange: Exchange, error: unknown) => MockResponse

/** Creates what turns errors into answers: the one place that does. */
export function createFail({ clock, onFailure }: FailOptions): Fail {
  let failures = 0

  /** Tells of a failure that nobody expected under an id, which is all that the client learns. */
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
    const { message, code, cause } = problem
    // An engine quotes what it could not read, which may be a secret.
    const told = cause instanceof SyntaxError ? message.replace(/ \(.*\)/s, '') : message
    if (code !== 'NOT_FOUND') exchange.reasons.push(told)
    return write(exchange, exchange.service.dialect.renderError(problem, exchange))
  }
}
