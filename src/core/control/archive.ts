import { toHar } from '../har/to-har.ts'
import type { Controlled } from '../http/contract/behaviour.ts'
import type { MockRequest } from '../http/contract/messages.ts'
import type { Controls } from './contract.ts'
import { paramOf } from './param-of.ts'

/**
 * The endpoint `GET /__mock/log.har`: the request log as an HTTP archive (HAR), which the developer tools of
 * browsers can open; `?redactedBodies=false` leaves redacted bodies out.
 */
export const archiveControls: Controls = {
  'log.har': {
    GET({ mock, request }) {
      const redactedBodies = paramOf(request, 'redactedBodies') !== 'false'
      return { value: toHar(withinTime(mock, request), { redactedBodies }) }
    },
  },
}

/**
 * Returns the mock with only the requests that arrived at the time `?time=1735689600000`; without `time`, with
 * all requests.
 */
function withinTime(mock: Controlled, request: MockRequest): Controlled {
  const time = paramOf(request, 'time')
  if (time === undefined) return mock
  const exchanges: Controlled['exchanges'] = () =>
    mock.exchanges().filter((exchange) => String(exchange.time) === time)
  return Object.create(mock, { exchanges: { value: exchanges } }) as Controlled
}
