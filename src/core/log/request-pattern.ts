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
import { decodeParam, hasMethod, parsePattern, splitPattern } from '../url/pattern.ts'

/** Selects requests in the log by method, path, status, query and JSON body; a missing part matches any request. */
export interface RequestPattern {
  /** `POST`, or several methods with commas. GET also matches HEAD and QUERY. */
  method?: string
  /** A path as for rules: `/posts/:id`, `/admin/*`, or `posts` for the resource and all paths below. */
  path?: string
  status?: number
  /** Parameters that the request has to have, each with one of its values. */
  query?: Readonly<Record<string, string | number | boolean>>
  /** A part of the JSON body: an object matches an object with more keys. A function tests the whole value. */
  body?: unknown
}

/** A difference of a request from a pattern: `['method', 'GET', 'POST']`; undefined for a missing value. */
export type RequestDifference = [part: string, is: unknown, wanted: unknown]

/** Finds the differences of a request from a pattern. */
export type Compare = (
  entry: Pick<LogEntry, 'method' | 'url'> & Partial<LogEntry>,
) => RequestDifference[]

/** Parses a pattern to a function that compares requests with it. @throws MockError for a wrong part */
export function toCompare(wanted: unknown, base: string): Compare {
  const { method = '*', path = '*', status, query = {}, body } = toPattern(wanted)
  if (path.includes('?')) {
    throw wrong(
      patternSubject,
      `"path" cannot be "${path}". Please give the parameters as "query".`,
    )
  }
  const ownPath = withoutBase(path, base)
  const pattern = parsePattern(`${method} ${ownPath}`)
  return (entry) => {
    const [whole = '', ...search] = entry.url.split('?')
    const own = withoutBase(whole, base)
    const found: RequestDifference[] = []
    const expect: Expect = (isMet, ...difference) => void (isMet || found.push(difference))
    expect(hasMethod(pattern, entry.method), 'method', entry.method, method)
    expect(pattern.match(own) !== undefined, 'path', own, ownPath)
    if (status !== undefined) expect(entry.status === status, 'status', entry.status, status)
    const params = search.join('?').split('&').map(toParam)
    for (const [name, value] of Object.entries(query)) {
      const values = params.flatMap(([one, held]) => (one === name ? [held] : []))
      const all = values.length > 0 ? values.join(' and ') : undefined
      expect(values.includes(String(value)), `query ${name}`, all, value)
    }
    if (body !== undefined) compareBody(entry.body, body, 'body', expect)
    return found
  }
}

/** Adds a difference unless the expectation is met. */
type Expect = (isMet: boolean, ...difference: RequestDifference) => void

const checks = {
  method: isText,
  path: isText,
  status: isAmount,
  query: isMapOf(isEither(isText, isAmount, isFlag)),
  body: [() => true, 'any JSON'],
} as const

/** Checks a pattern of requests, or reads one from a text such as `POST /posts`. @throws MockError for a wrong part */
export function toPattern(value: unknown): RequestPattern {
  if (typeof value === 'string') {
    const [method, path] = splitPattern(value)
    return { method, path }
  }
  checkOptions(patternSubject, value, checks)
  return value as RequestPattern
}

const patternSubject = 'the pattern of requests'

function toParam(part: string): [name: string, value: string] {
  const [name = '', ...value] = part.split('=')
  return [decodeParam(name), decodeParam(value.join('='))]
}

function compareBody(body: unknown, wanted: unknown, part: string, expect: Expect): void {
  const isList = Array.isArray(wanted) && Array.isArray(body) && wanted.length === body.length
  if (isList || (isRecord(wanted) && isRecord(body))) {
    const held = new Map<string, unknown>(Object.entries(body))
    for (const [key, one] of Object.entries(wanted))
      compareBody(held.get(key), one, `${part}.${key}`, expect)
    return
  }
  const isMet =
    typeof wanted === 'function'
      ? body !== undefined && Boolean((wanted as (body: unknown) => unknown)(body))
      : isSame(body, wanted)
  expect(isMet, part, body, wanted)
}
