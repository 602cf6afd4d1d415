import { checkOptions, isAmount, isEither, isFlag, isMapOf, isText } from './check.ts'
import { MockError } from './errors.ts'
import { isRecord, isSame } from './json.ts'
import type { LogEntry } from './log.ts'
import { nearest } from './nearest.ts'
import { decode, isMeant, parsePattern } from './pattern.ts'

/** Which requests are looked for; what is left out may be anything. */
export interface RequestPattern {
  /** `POST`, or several with commas; GET means HEAD too. */
  method?: string
  /** As for rules: `/posts/:id`, `/admin/*`, or `posts` for the resource and all below it. */
  path?: string
  status?: number
  /** Parameters that have to be there, with one of their values. */
  query?: Readonly<Record<string, string | number | boolean>>
  /** The part of the JSON body that has to be the same, or a test of it. */
  body?: unknown
}

/** How far a request is from what is looked for, and in what it differs; 0 where it is one. */
export interface Difference {
  score: number
  differences: string[]
}

/** Tells in what a request differs from what is looked for. */
export type Compare = (entry: Pick<LogEntry, 'method' | 'url'> & Partial<LogEntry>) => Difference

/** From there on a request has nothing to do with what is looked for. */
export const farOff = 3

/**
 * Reads which requests are looked for: `POST /posts`, or the parts of a pattern.
 * @throws MockError when a part is wrong
 */
export function toCompare(wanted: RequestPattern | string, base: string): Compare {
  const subject = 'the pattern of requests'
  if (typeof wanted !== 'string') checkOptions(subject, wanted, checks)
  const { method = '*', path = '*' } = typeof wanted === 'string' ? split(wanted) : wanted
  const { status, query = {}, body }: RequestPattern = typeof wanted === 'string' ? {} : wanted
  if (path.includes('?')) {
    throw new MockError(
      `Failed to read ${subject}: "${path}" cannot be, a path has no query. Please give it as "query".`,
      { status: 400, code: 'CONFIG_INVALID' },
    )
  }
  const shown = withoutBase(path, base)
  const pattern = parsePattern(`${method} ${shown}`)
  return (entry) => {
    const [whole = '', search = ''] = entry.url.split(/(?=\?)/)
    const own = withoutBase(whole, base)
    const differences: string[] = []
    let score = 0
    const note = (cost: number, texts: readonly string[]): void => {
      if (texts.length > 0) score += cost
      differences.push(...texts)
    }
    if (!isMeant({ ...pattern, match: () => ({}) }, entry.method, ''))
      note(1, [`method is ${entry.method}, not ${method}`])
    if (!pattern.match(own))
      note(isAlike(own, shown) ? 1 : farOff, [`path is ${own}, not ${shown}`])
    if (status !== undefined && entry.status !== status)
      note(1, [`status is ${entry.status}, not ${status}`])
    note(1, compareQuery(search, query))
    if (body !== undefined) note(1, compareBody(entry.body, body, 'body'))
    return { score, differences }
  }
}

const checks = {
  method: isText,
  path: isText,
  status: isAmount,
  query: isMapOf(isEither(isText, isAmount, isFlag)),
  body: [() => true, 'any JSON'],
} as const

function split(text: string): RequestPattern {
  const [first = '', second] = text.trim().split(/\s+/)
  if (second !== undefined) return { method: first, path: second }
  return /^[A-Z,]+$/.test(first) ? { method: first } : { path: first }
}

function withoutBase(path: string, base: string): string {
  return path === base || path.startsWith(`${base}/`) ? path.slice(base.length) || '/' : path
}

/** Whether a path is but a slip away from a pattern. */
function isAlike(path: string, pattern: string): boolean {
  const parts = path.split('/')
  const filled = pattern
    .split('/')
    .map((one, at) => (one === '*' || one.startsWith(':') ? (parts[at] ?? one) : one))
    .join('/')
  return nearest(path, [filled]) !== undefined
}

function compareQuery(search: string, query: NonNullable<RequestPattern['query']>): string[] {
  const wanted = Object.entries(query)
  if (wanted.length === 0) return []
  const params = search.slice(1).split('&').map(toParam)
  return wanted.flatMap(([name, value]) => {
    const values = params.flatMap(([one, held]) => (one === name ? [held] : []))
    if (values.includes(String(value))) return []
    return [`query ${name} is ${values.join(' and ') || 'missing'}, not ${String(value)}`]
  })
}

function toParam(part: string): [name: string, value: string] {
  const [name = '', ...value] = part.replaceAll('+', ' ').split('=')
  return [decode(name), decode(value.join('='))]
}

function compareBody(body: unknown, wanted: unknown, name: string): string[] {
  if (typeof wanted === 'function') {
    const isPassed = body !== undefined && (wanted as (body: unknown) => unknown)(body)
    return isPassed ? [] : [`${name} does not pass the test`]
  }
  if (isRecord(wanted) && isRecord(body)) {
    return Object.keys(wanted).flatMap((key) =>
      compareBody(Object.hasOwn(body, key) ? body[key] : undefined, wanted[key], `${name}.${key}`),
    )
  }
  if (Array.isArray(wanted) && Array.isArray(body) && wanted.length === body.length)
    return wanted.flatMap((one, at) => compareBody(body[at], one, `${name}.${at}`))
  if (isSame(body, wanted)) return []
  return [`${name} is ${JSON.stringify(body) ?? 'missing'}, not ${JSON.stringify(wanted)}`]
}
