import type { LogEntry } from './log.ts'
import { nearest } from '../errors/nearest.ts'
import type { Redactor } from './redact.ts'
import { type Difference, type RequestPattern, toCompare } from './request-pattern.ts'

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
export interface Routing {
  base: string
  redactor: Redactor
  rules(): readonly { number: number; on: string }[]
  routes(): readonly { methods: readonly string[]; path: string }[]
}

/** The requests that come nearest to what is looked for; `list` shows them, `entries` are as they came. */
export function findNear(
  list: readonly LogEntry[],
  entries: readonly LogEntry[],
  wanted: RequestPattern | string,
  { base, redactor }: Routing,
): NearMiss[] {
  const compare = toCompare(wanted, base)
  return nearestOf(
    list.map((request, at) => [{ request }, compare(entries[at] ?? request)]),
    redactor,
  )
}

/** The rules and routes that a request has missed by little, and by what. */
export function explain(
  request: Pick<LogEntry, 'method' | 'url'>,
  { base, redactor, rules, routes }: Routing,
): NearRoute[] {
  const all = [
    ...rules().map(({ number, on }) => ({ rule: number, on })),
    ...routes().map(({ methods, path }) => ({
      on: `${methods.join(',')} ${path.slice(base.length)}`,
    })),
  ]
  return nearestOf(
    all.map((one) => [one, toCompare(one.on, base)(request)]),
    redactor,
  )
}

/** From there on a request has nothing to do with what is looked for. */
const farOff = 3

/** Those that miss by least, where that is little; nothing where one does not miss. */
function nearestOf<Miss>(
  misses: readonly [miss: Miss, by: readonly Difference[]][],
  redactor: Redactor,
): (Miss & { differences: string[] })[] {
  const scores = misses.map(([, by]) => score(by))
  const least = scores.reduce((least, one) => Math.min(least, one || least), farOff)
  if (least === farOff) return []
  return misses.flatMap(([miss, by], at) =>
    scores[at] === least
      ? [{ ...miss, differences: by.map((one) => describe(one, redactor)) }]
      : [],
  )
}

/** How far off a request is: one for every part that differs, more for quite another path. */
function score(by: readonly Difference[]): number {
  const parts = new Set(by.map(([part]) => part.replace(/\W.*/s, '')))
  const isElsewhere = by.some(([part, is, wanted]) => part === 'path' && !isAlike(is, wanted))
  return parts.size + (isElsewhere ? farOff - 1 : 0)
}

/** `method is GET, not POST` */
function describe([part, is, wanted]: Difference, redactor: Redactor): string {
  if (typeof wanted === 'function') return `${part} does not pass the test`
  const show = (value: unknown): string =>
    typeof value === 'string' && !part.startsWith('body')
      ? value
      : (JSON.stringify(value) ?? 'missing')
  const { [part]: known } = redactor.redactBody({ [part]: is }) as Record<string, unknown>
  return `${part} is ${show(known)}, not ${show(wanted)}`
}

/** Whether a path is but a slip away from a pattern. */
function isAlike(path: unknown, pattern: unknown): boolean {
  const parts = String(path).split('/')
  const filled = String(pattern)
    .split('/')
    .map((one, at) => (one === '*' || one.startsWith(':') ? (parts[at] ?? one) : one))
    .join('/')
  return nearest(String(path), [filled]) !== undefined
}
