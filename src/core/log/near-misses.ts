import type { LogEntry } from './log.ts'
import { nearest } from '../errors/nearest.ts'
import type { Redactor } from './redact.ts'
import { type RequestDifference, type RequestPattern, toCompare } from './request-pattern.ts'

/** A logged request that differs from a pattern in few parts, and a description of each difference. */
export interface NearMiss {
  request: LogEntry
  /** `method is GET, not POST` */
  differences: string[]
}

/** A rule or a route that nearly matches a request. */
export interface NearRoute {
  /** The number of the rule; undefined for a route. */
  rule?: number
  /** `GET /posts/:id` */
  on: string
  /** `path is /post, not /posts` */
  differences: string[]
}

/** The rules and routes of a mock, which `explain` compares with a request. */
export interface Routing {
  base: string
  redactor: Redactor
  rules(): readonly { number: number; on: string }[]
  routes(): readonly { methods: readonly string[]; path: string }[]
}

/** Finds the requests with the fewest differences from a pattern; `list` is `entries` without secrets. */
export function findNear(
  list: readonly LogEntry[],
  entries: readonly LogEntry[],
  pattern: RequestPattern | string,
  { base, redactor }: Routing,
): NearMiss[] {
  const compare = toCompare(pattern, base)
  return nearestOf(
    list.map((request, at) => [{ request }, compare(entries[at] ?? request)]),
    redactor,
  )
}

/** Finds the rules and routes with the fewest differences from a request. */
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

/** From this score on, a request has nothing in common with a pattern. */
const maxScore = 3

/** Finds the misses with the lowest score above zero and below the maximum. */
function nearestOf<Miss>(
  misses: readonly [miss: Miss, by: readonly RequestDifference[]][],
  redactor: Redactor,
): (Miss & { differences: string[] })[] {
  const scores = misses.map(([, by]) => score(by))
  const least = scores.reduce((least, one) => Math.min(least, one || least), maxScore)
  if (least === maxScore) return []
  return misses.flatMap(([miss, by], at) =>
    scores[at] === least
      ? [{ ...miss, differences: by.map((one) => describe(one, redactor)) }]
      : [],
  )
}

/** Returns the score of a miss: one for every part that differs, and more for a path that is not similar. */
function score(by: readonly RequestDifference[]): number {
  const parts = new Set(by.map(([part]) => part.replace(/\W.*/s, '')))
  const isElsewhere = by.some(([part, is, wanted]) => part === 'path' && !isSimilar(is, wanted))
  return parts.size + (isElsewhere ? maxScore - 1 : 0)
}

/** Describes a difference: `method is GET, not POST`. */
function describe([part, is, wanted]: RequestDifference, redactor: Redactor): string {
  if (typeof wanted === 'function') return `${part} does not pass the test`
  const show = (value: unknown): string =>
    typeof value === 'string' && !part.startsWith('body')
      ? value
      : (JSON.stringify(value) ?? 'missing')
  const { [part]: known } = redactor.redactBody({ [part]: is }) as Record<string, unknown>
  return `${part} is ${show(known)}, not ${show(wanted)}`
}

function isSimilar(path: unknown, pattern: unknown): boolean {
  const parts = String(path).split('/')
  const filled = String(pattern)
    .split('/')
    .map((one, at) => (one === '*' || one.startsWith(':') ? (parts[at] ?? one) : one))
    .join('/')
  return nearest(String(path), [filled]) !== undefined
}
