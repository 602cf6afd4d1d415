import { type LogEntry, redactEntry } from './log.ts'
import { explain, findNear, type NearMiss, type NearRoute, type Routing } from './near-misses.ts'
import { type RequestPattern, toCompare } from './request-pattern.ts'

/** The last requests, oldest first, for tests to look into. */
export interface MockLog extends ReadonlyArray<LogEntry> {
  find<Entry extends LogEntry>(
    test: (entry: LogEntry, at: number, log: readonly LogEntry[]) => entry is Entry,
  ): Entry | undefined
  find(
    test: (entry: LogEntry, at: number, log: readonly LogEntry[]) => unknown,
  ): LogEntry | undefined
  /** The first request that is meant. @throws MockError when the pattern is wrong */
  find(wanted: RequestPattern | string): LogEntry | undefined
  filter<Entry extends LogEntry>(
    test: (entry: LogEntry, at: number, log: readonly LogEntry[]) => entry is Entry,
  ): Entry[]
  filter(test: (entry: LogEntry, at: number, log: readonly LogEntry[]) => unknown): LogEntry[]
  /** Every request that is meant. @throws MockError when the pattern is wrong */
  filter(wanted: RequestPattern | string): LogEntry[]
  /**
   * How many requests are meant: `log.count({ method: 'POST', path: '/posts', body: { title: 'x' } })`.
   * @throws MockError when the pattern is wrong
   */
  count(wanted?: RequestPattern | string): number
  /** Where none is what is looked for: the ones that come nearest. @throws MockError when the pattern is wrong */
  nearMisses(wanted: RequestPattern | string): NearMiss[]
  /** The rules and routes that a request has missed by little, and by what. */
  explain(request: Pick<LogEntry, 'method' | 'url'>): NearRoute[]
}

/** Makes the list of requests, as it is now, with what finds some of them; secrets are hidden in it. */
export function createMockLog(entries: readonly LogEntry[], routing: Routing): MockLog {
  const list = entries.map((entry) => redactEntry(entry, routing.redactor))
  /** Holds requests as they came against a pattern, and finds them among those without secrets. */
  const toTest = (wanted: unknown): ((entry: LogEntry, at: number) => unknown) => {
    if (typeof wanted === 'function') return wanted as ReturnType<typeof toTest>
    const compare = toCompare(wanted as RequestPattern, routing.base)
    return (entry, at) => compare(entries[at] ?? entry).length === 0
  }
  const { find, filter } = Array.prototype
  const search = {
    find: (wanted: unknown) => find.call(list, toTest(wanted)) as unknown,
    filter: (wanted: unknown) => filter.call(list, toTest(wanted)),
    count: (wanted: RequestPattern | string = {}) => search.filter(wanted).length,
    nearMisses: (wanted: RequestPattern | string) => findNear(list, entries, wanted, routing),
    explain: (request: LogEntry) => explain(request, routing),
  }
  for (const [name, value] of Object.entries(search)) Object.defineProperty(list, name, { value })
  return list as unknown as MockLog
}
