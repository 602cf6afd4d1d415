import { type LogEntry, redact } from './log.ts'
import {
  type Compare,
  type Difference,
  farOff,
  type RequestPattern,
  toCompare,
} from './request-pattern.ts'

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

/** A request that is not what was looked for. */
export interface NearMiss {
  request: LogEntry
  /** `method is GET, not POST` */
  differences: string[]
}

/** A rule or a route that does not mean a request. */
export interface NearRoute {
  /** The number of the rule; nothing for a route. */
  rule?: number
  /** `GET /posts/:id` */
  on: string
  /** `path is /post, not /posts` */
  differences: string[]
}

/** Where requests could have gone. */
export interface Places {
  base: string
  rules(): readonly { number: number; on: string }[]
  routes(): readonly { methods: readonly string[]; path: string }[]
}

/** Makes the list of requests, as it is now, with what finds some of them; secrets are hidden in it. */
export function createMockLog(entries: readonly LogEntry[], places: Places): MockLog {
  const list = entries.map(redact)
  const { base } = places
  /** Holds requests as they came against a pattern, and finds them among those without secrets. */
  const toTest = (wanted: unknown): ((entry: LogEntry, at: number, all: LogEntry[]) => unknown) => {
    if (typeof wanted === 'function') return wanted as ReturnType<typeof toTest>
    const compare = toCompare(wanted as RequestPattern, base)
    return (_, at) => isMeant(compare, entries[at])
  }
  const search = {
    find: (wanted: unknown) => Array.prototype.find.call(list, toTest(wanted) as never) as unknown,
    filter: (wanted: unknown) => Array.prototype.filter.call(list, toTest(wanted) as never),
    count: (wanted: RequestPattern | string = {}) => search.filter(wanted).length,
    nearMisses(wanted: RequestPattern | string) {
      const compare = toCompare(wanted, base)
      return nearestOf(list.map((request, at) => ({ request, ...compare(entries[at] ?? request) })))
    },
    explain(request: LogEntry) {
      const rules = places.rules().map(({ number, on }) => ({ rule: number, on }))
      const routes = places.routes().map(({ methods, path }) => ({
        on: `${methods.join(',')} ${path.slice(base.length)}`,
      }))
      return nearestOf(
        [...rules, ...routes].map((one) => ({ ...one, ...toCompare(one.on, base)(request) })),
      )
    },
  }
  for (const [name, value] of Object.entries(search)) Object.defineProperty(list, name, { value })
  return list as unknown as MockLog
}

function isMeant(compare: Compare, entry: LogEntry | undefined): boolean {
  return entry !== undefined && compare(entry).score === 0
}

/** Those that miss by least, where that is little; nothing where one does not miss. */
function nearestOf<Miss extends Difference>(misses: readonly Miss[]): Omit<Miss, 'score'>[] {
  const least = Math.min(...misses.map(({ score }) => score || Infinity))
  if (least >= farOff) return []
  return misses.flatMap(({ score, ...miss }) => (score === least ? [miss] : []))
}
