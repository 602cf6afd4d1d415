import { toHar } from '../har/to-har.ts'
import type { MockInternals } from '../http/contract/internals.ts'
import type { MockRequest } from '../http/contract/messages.ts'
import { type Controls, paramOf } from './contract.ts'

/** `GET /__mock/log.har`: the log as a HAR; `?redactedBodies=false` leaves redacted bodies out. */
export const archiveControls: Controls = {
  'log.har': {
    GET({ mock, request }) {
      const redactedBodies = paramOf(request, 'redactedBodies') !== 'false'
      return { value: toHar(withinTime(mock, request), { redactedBodies }) }
    },
  },
}

/** Keeps only the requests that arrived at `?time=1735689600000`; all without `time`. */
function withinTime(mock: MockInternals, request: MockRequest): MockInternals {
  const time = paramOf(request, 'time')
  if (time === undefined) return mock
  const exchanges: MockInternals['exchanges'] = () =>
    mock.exchanges().filter((exchange) => String(exchange.time) === time)
  return Object.create(mock, { exchanges: { value: exchanges } }) as MockInternals
}
