import { type LogEntry, redact } from './log.ts'
import type * as NearMisses from './near-misses.ts'
import type { NearMiss, NearRoute, Routing } from './near-misses.ts'
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
  /** Where none is what is looked for: the ones that come nearest. Rejects when the pattern is wrong. */
  nearMisses(wanted: RequestPattern | string): Promise<NearMiss[]>
  /** The rules and routes that a request has missed by little, and by what. */
  explain(request: Pick<LogEntry, 'method' | 'url'>): Promise<NearRoute[]>
}

type Near = Pick<typeof NearMisses, 'findNear' | 'explain'>

/** Where requests could have gone, and what finds out why they did not. */
export interface Places extends Routing {
  /** Few ask for what is near, so that it is loaded with the first who does. */
  near(): Near | Promise<Near>
}

/** Makes the list of requests, as it is now, with what finds some of them; secrets are hidden in it. */
export function createMockLog(entries: readonly LogEntry[], places: Places): MockLog {
  const list = entries.map(redact)
  /** Holds requests as they came against a pattern, and finds them among those without secrets. */
  const toTest = (wanted: unknown): ((entry: LogEntry, at: number) => unknown) => {
    if (typeof wanted === 'function') return wanted as ReturnType<typeof toTest>
    const compare = toCompare(wanted as RequestPattern, places.base)
    return (entry, at) => compare(entries[at] ?? entry).length === 0
  }
  const { find, filter } = Array.prototype
  const search = {
    find: (wanted: unknown) => find.call(list, toTest(wanted)) as unknown,
    filter: (wanted: unknown) => filter.call(list, toTest(wanted)),
    count: (wanted: RequestPattern | string = {}) => search.filter(wanted).length,
    nearMisses: async (wanted: RequestPattern | string) =>
      (await places.near()).findNear(list, entries, wanted, places),
    explain: async (request: LogEntry) => (await places.near()).explain(request, places),
  }
  for (const [name, value] of Object.entries(search)) Object.defineProperty(list, name, { value })
  return list as unknown as MockLog
}
