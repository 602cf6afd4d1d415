import { withoutBase } from '../url/base.ts'
import {
  checkOptions,
  isAmount,
  isEither,
  isFlag,
  isMapOf,
  isText,
  wrong,
} from '../errors/check.ts'
import { isRecord, isSame } from '../json/json.ts'
import type { LogEntry } from './log.ts'
import { decode, hasMethod, parsePattern, splitPattern } from '../url/pattern.ts'

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

/** What of a request is not what is looked for: `['method', 'GET', 'POST']`; undefined for missing. */
export type Difference = [part: string, is: unknown, wanted: unknown]

/** Tells in what a request differs from what is looked for. */
export type Compare = (entry: Pick<LogEntry, 'method' | 'url'> & Partial<LogEntry>) => Difference[]

/**
 * Reads which requests are looked for: `POST /posts`, or the parts of a pattern.
 * @throws MockError when a part is wrong
 */
export function toCompare(wanted: RequestPattern | string, base: string): Compare {
  const subject = 'the pattern of requests'
  const asked: RequestPattern = typeof wanted === 'string' ? toPattern(wanted) : wanted
  checkOptions(subject, asked, checks)
  const { method = '*', path = '*', status, query = {}, body } = asked
  if (path.includes('?')) {
    throw wrong(subject, `"${path}" cannot be, a path has no query. Please give it as "query".`)
  }
  const shown = withoutBase(path, base)
  const pattern = parsePattern(`${method} ${shown}`)
  return (entry) => {
    const [whole = '', ...search] = entry.url.split('?')
    const own = withoutBase(whole, base)
    const found: Difference[] = []
    const note: Note = (isMet, ...difference) => void (isMet || found.push(difference))
    note(hasMethod(pattern, entry.method), 'method', entry.method, method)
    note(pattern.match(own) !== undefined, 'path', own, shown)
    if (status !== undefined) note(entry.status === status, 'status', entry.status, status)
    const params = search.join('?').split('&').map(toParam)
    for (const [name, value] of Object.entries(query)) {
      const values = params.flatMap(([one, held]) => (one === name ? [held] : []))
      const all = values.length > 0 ? values.join(' and ') : undefined
      note(values.includes(String(value)), `query ${name}`, all, value)
    }
    if (body !== undefined) compareBody(entry.body, body, 'body', note)
    return found
  }
}

/** Notes what differs, where what is looked for is not met. */
type Note = (isMet: boolean, ...difference: Difference) => void

const checks = {
  method: isText,
  path: isText,
  status: isAmount,
  query: isMapOf(isEither(isText, isAmount, isFlag)),
  body: [() => true, 'any JSON'],
} as const

function toPattern(text: string): RequestPattern {
  const [method, path] = splitPattern(text)
  return { method, path }
}

function toParam(part: string): [name: string, value: string] {
  const [name = '', ...value] = part.replaceAll('+', ' ').split('=')
  return [decode(name), decode(value.join('='))]
}

function compareBody(body: unknown, wanted: unknown, part: string, note: Note): void {
  const isList = Array.isArray(wanted) && Array.isArray(body) && wanted.length === body.length
  if (isList || (isRecord(wanted) && isRecord(body))) {
    const held = new Map<string, unknown>(Object.entries(body))
    for (const [key, one] of Object.entries(wanted))
      compareBody(held.get(key), one, `${part}.${key}`, note)
    return
  }
  const isMet =
    typeof wanted === 'function'
      ? body !== undefined && Boolean((wanted as (body: unknown) => unknown)(body))
      : isSame(body, wanted)
  note(isMet, part, body, wanted)
}
