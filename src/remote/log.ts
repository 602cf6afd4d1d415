import { MockError } from '../core/errors/mock-error.ts'
import type { LogEntry } from '../core/log/log.ts'
import { type RequestPattern, toCompare } from '../core/log/request-pattern.ts'
import type { Client } from './client.ts'
import { isJsonValue } from './is-json-value.ts'
import type { RemoteLog } from './types.ts'

/**
 * Creates the `log` of a mock in another process: the access to its request log, by the control API. The server
 * compares patterns; a function is called here, with every entry.
 */
export function createRemoteLog({ send }: Client): RemoteLog {
  const all = (): Promise<LogEntry[]> => send('GET', 'log')
  const search = async <Value>(name: string, pattern: RequestPattern | string): Promise<Value> =>
    send('POST', `log/${name}`, toPlain(pattern))
  const filter: RemoteLog['filter'] = async (wanted) => {
    if (typeof wanted === 'function') return (await all()).filter(wanted)
    return (await search<{ requests: LogEntry[] }>('find', wanted)).requests
  }
  return {
    all,
    filter,
    find: async (wanted) => (await filter(wanted))[0],
    count: (pattern = {}) => search('count', pattern),
    nearMisses: (pattern) => search('nearMisses', pattern),
    explain: ({ method, url }) => send('POST', 'log/explain', { method, url }),
    clear: async () => void (await send('DELETE', 'log')),
  }
}

/** Checks a pattern as the local log does. @throws MockError when the pattern is wrong, or no JSON */
function toPlain(pattern: RequestPattern | string): RequestPattern | string {
  toCompare(pattern, '')
  if (typeof pattern !== 'string' && pattern.body !== undefined) {
    JSON.stringify(pattern.body, (key, value: unknown) => {
      if (isJsonValue(value)) return value
      throw notJson(key, value)
    })
  }
  return pattern
}

/** Creates the error for a value that JSON leaves out: without the value, the pattern would match more requests. */
function notJson(key: string, value: unknown): MockError {
  const name = key === '' ? 'body' : key
  return new MockError(
    `Failed to search the log of a running mock: "${name}" of the pattern cannot be ${typeof value === 'number' ? value : typeof value}. Please give JSON, or search with a function: mock.log.filter((entry) => …).`,
    { status: 400, code: 'PATTERN_INVALID' },
  )
}
