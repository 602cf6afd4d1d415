import { type MockInternals, internalsOf } from '../http/contract/internals.ts'
import type { AnyMock } from '../http/contract/any-mock.ts'
import type { LoggedExchange } from '../log/log.ts'
import type { Har, HarEntry, HarOptions } from './har.ts'
import { toHarRequest } from './request.ts'
import { toHarResponse } from './response.ts'

/**
 * Converts the log of a mock to an HTTP archive (HAR 1.2): the last requests and responses, with their bodies
 * and without secrets.
 * @example await writeFile('session.har', JSON.stringify(toHar(mock)))
 */
export function toHar(
  mock: AnyMock | MockInternals,
  { redactedBodies = true }: HarOptions = {},
): Har {
  const { exchanges, redactor } = internalsOf(mock, 'the mock of toHar')
  const toEntry = (exchange: LoggedExchange): HarEntry => {
    const { time, ms, headers } = exchange
    const target = headers['sec-fetch-dest'] ?? 'empty'
    return {
      startedDateTime: new Date(time).toISOString(),
      time: ms,
      request: toHarRequest(exchange, redactor, redactedBodies),
      response: toHarResponse(exchange, redactor),
      cache: {},
      timings: { send: 0, wait: ms, receive: 0 },
      _resourceType: target === 'empty' ? 'fetch' : target,
    }
  }
  const entries = exchanges()
    .toSorted((one, other) => one.time - other.time)
    .map(toEntry)
  return { log: { version: '1.2', creator: { name: 'fixtura', version }, entries } }
}

/** The version of the package, which a HAR names as its creator. */
export const version = '0.1.0'
