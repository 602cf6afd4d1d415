import type { HarOptions } from '../har/har.ts'
import { toHar } from '../har/to-har.ts'
import type { Controlled } from '../http/contract/behaviour.ts'
import type { MockRequest } from '../http/contract/messages.ts'
import { parseParams } from '../url/params.ts'
import type { Controls } from './contract.ts'

/** The control of the log as an HTTP archive. */
export const archiveControls: Controls = {
  'log.har': {
    GET: ({ mock, request }) => ({ value: toHar(within(mock, request), harOptions(request)) }),
  },
}

/** The options of an archive: `?redactedBodies=false`. */
function harOptions({ search }: MockRequest): HarOptions {
  const params = parseParams(search)
  return {
    redactedBodies: !params.some(([name, value]) => name === 'redactedBodies' && value === 'false'),
  }
}

/** The mock with the requests alone that arrived at the time `?time=1735689600000`; without it, with all. */
function within(mock: Controlled, { search }: MockRequest): Controlled {
  const time = parseParams(search).find(([name]) => name === 'time')?.[1]
  if (time === undefined) return mock
  const exchanges: Controlled['exchanges'] = () =>
    mock.exchanges().filter((one) => String(one.time) === time)
  return Object.create(mock, { exchanges: { value: exchanges } }) as Controlled
}
