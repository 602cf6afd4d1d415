import { type LogEntry, redactEntry } from './log.ts'
import { explain, findNear, type NearMiss, type NearRoute, type Routing } from './near-misses.ts'
import { type RequestPattern, toCompare } from './request-pattern.ts'

/**
 * The log of a mock for tests: an array of the last requests, each with the status of its response,
 * oldest first, without secrets. `find` and `filter` take a function, as for any array, or a pattern of
 * requests.
 * @example expect(mock.log.count({ method: 'POST', path: '/posts', status: 201 })).toBe(1)
 */
export interface MockLog extends ReadonlyArray<LogEntry> {
  find<Entry extends LogEntry>(
    test: (entry: LogEntry, at: number, log: readonly LogEntry[]) => entry is Entry,
  ): Entry | undefined
  find(
    test: (entry: LogEntry, at: number, log: readonly LogEntry[]) => unknown,
  ): LogEntry | undefined
  /** The first request that matches the pattern. @throws MockError for a wrong pattern */
  find(pattern: RequestPattern | string): LogEntry | undefined
  filter<Entry extends LogEntry>(
    test: (entry: LogEntry, at: number, log: readonly LogEntry[]) => entry is Entry,
  ): Entry[]
  filter(test: (entry: LogEntry, at: number, log: readonly LogEntry[]) => unknown): LogEntry[]
  /** Every request that matches the pattern. @throws MockError for a wrong pattern */
  filter(pattern: RequestPattern | string): LogEntry[]
  /** How many requests match: `log.count({ path: '/posts' })`. @throws MockError for a wrong pattern */
  count(pattern?: RequestPattern | string): number
  /** Requests that nearly match, those with the fewest differences. @throws MockError for a wrong pattern */
  nearMisses(pattern: RequestPattern | string): NearMiss[]
  /** The rules and routes with the fewest differences from a request. */
  explain(request: Pick<LogEntry, 'method' | 'url'>): NearRoute[]
}

/** Creates a redacted copy of the log with functions to search it. */
export function createMockLog(entries: readonly LogEntry[], routing: Routing): MockLog {
  const list = entries.map((entry) => redactEntry(entry, routing.redactor))
  /** Matches a pattern against the requests with their secrets, and finds the redacted copies. */
  const toTest = (pattern: unknown): ((entry: LogEntry, index: number) => unknown) => {
    if (isTest(pattern)) return pattern
    const compare = toCompare(pattern, routing.base)
    return (entry, index) => compare(entries[index] ?? entry).length === 0
  }
  const { find, filter } = Array.prototype
  const search = {
    find: (pattern: unknown): LogEntry | undefined => find.call(list, toTest(pattern)),
    filter: (pattern: unknown): LogEntry[] => filter.call(list, toTest(pattern)),
    count: (pattern: RequestPattern | string = {}) => search.filter(pattern).length,
    nearMisses: (pattern: RequestPattern | string) => findNear(list, entries, pattern, routing),
    explain: (request: LogEntry) => explain(request, routing),
  }
  const searchable: LogEntry[] & typeof search = Object.assign(list, search)
  for (const name of Object.keys(search)) Object.defineProperty(list, name, { enumerable: false })
  return searchable
}

function isTest(pattern: unknown): pattern is (entry: LogEntry, index: number) => unknown {
  return typeof pattern === 'function'
}
