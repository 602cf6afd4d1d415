import { isToken, wrong, wrongValue } from '../errors/check.ts'
import { nearest } from '../errors/nearest.ts'
import { withoutBase } from './base.ts'

/**
 * A parsed pattern that selects requests by method and path, for rules (`mock.on`), behaviours and searches of
 * the request log: `POST *`, `orders`, `GET,PUT /posts/:id`, `/admin/*` or `*`.
 */
export interface Pattern {
  /** The methods in upper case; undefined for any method. */
  methods: readonly string[] | undefined
  /** Returns the parameters of a path that matches, without the path prefix (option `base`); undefined for others. */
  match(path: string): Record<string, string> | undefined
}

/**
 * Parses a pattern: an optional method or list of methods, then a path. A path without a leading slash
 * is a resource and everything below it; `:name` matches one segment; a final `*` matches the rest.
 * @throws MockError for a path that could match no request, and for a method that looks like a typo
 */
export function parsePattern(text: string): Pattern {
  const [first, path] = splitPattern(text)
  const listed = first === '*' || first === 'ANY' ? undefined : first.toUpperCase().split(',')
  for (const method of listed ?? []) {
    if (!isToken(method)) throw wrongValue('the method of a pattern', method, 'one such as GET')
    const near = methods.includes(method) ? undefined : nearest(method, methods)
    if (near === undefined) continue
    throw wrong(`the pattern "${text}"`, `there is no method "${method}". Did you mean "${near}"?`)
  }
  checkPath(path)
  return { methods: listed, match: createMatch(path) }
}

/** Refuses a path in the notation of another tool. @throws MockError that says what to write instead, without the base */
export function checkPath(path: string, base = ''): void {
  const advise = notations.find(([notation]) => notation.test(path))?.[1]
  if (advise) throw wrongValue('the path of a pattern', path, advise(path, base))
}

/** The notations of other tools for paths, and what to give instead. */
const notations: readonly [notation: RegExp, advise: (path: string, base: string) => string][] = [
  [
    // A URL, and `*/posts`, which is MSW's path of any host.
    /^(?:[a-z][a-z\d+.-]*:\/\/|\*\/)/i,
    (path, base) => {
      const [below = ''] = path.replace(/^(?:[^*/]+\/\/[^/]*|\*)/, '').split(/[?#]/)
      return `"${withoutBase(below || '/', base)}", which matches requests to every host`
    },
  ],
  [/\?/, () => 'one without a query'],
  [/#/, () => 'one without a fragment'],
  [/[^/]\*|\*[^/]/, () => '* for a whole segment, or at the end for the rest, as in "/posts/*"'],
  [/[{}]/, () => ':name for a parameter, as in "/posts/:id"'],
]

/** Splits a pattern into method and path; `*` replaces a missing part. @throws MockError for a path with a space */
export function splitPattern(text: string): [method: string, path: string] {
  const [first = '', second, ...others] = text.trim().split(/\s+/)
  if (others.length > 0)
    throw wrongValue('a pattern', text, 'a method and a path, with %20 for a space')
  const hasMethod = second !== undefined || /^[A-Z,]+$/.test(first)
  return hasMethod ? [first, second ?? '*'] : ['*', first]
}

/** The methods of RFC 9110, RFC 5789 and RFC 10008; a pattern can name other methods too. */
const methods = 'GET HEAD POST PUT PATCH DELETE QUERY OPTIONS CONNECT TRACE ANY *'.split(' ')

/** Whether a pattern matches a request; `GET` matches every safe read: GET, HEAD and QUERY. */
export function isMatched(pattern: Pattern, method: string, path: string): boolean {
  return hasMethod(pattern, method) && pattern.match(path) !== undefined
}

/** Whether a pattern matches a method; `GET` matches every safe read: GET, HEAD and QUERY. */
export function hasMethod({ methods: listed }: Pick<Pattern, 'methods'>, method: string): boolean {
  if (!listed || listed.includes(method)) return true
  return listed.includes('GET') && (method === 'HEAD' || method === 'QUERY')
}

function createMatch(path: string): Pattern['match'] {
  const isName = !path.startsWith('/')
  const segments = path.split('/').filter((segment) => segment !== '')
  const isOpen = isName || segments.at(-1) === '*'
  if (segments.at(-1) === '*') segments.pop()
  return (given) => {
    const parts = given.split('/').filter((part) => part !== '')
    if (parts.length < segments.length || (!isOpen && parts.length > segments.length))
      return undefined
    const params: Record<string, string> = {}
    for (const [at, segment] of segments.entries()) {
      const part = decode(parts[at] ?? '')
      if (segment.startsWith(':')) params[segment.slice(1)] = part
      else if (segment !== '*' && decode(segment) !== part) return undefined
    }
    return params
  }
}

/** Resolves the segments `.` and `..` of a path, also percent-encoded, as servers do (RFC 3986 §5.2.4). */
export function resolveDots(path: string): string {
  if (!/\/(?:\.|%2e)/i.test(path)) return path
  const parts: string[] = []
  for (const part of path.split('/').slice(1)) {
    const name = part.replaceAll(/%2e/gi, '.')
    if (name === '..') parts.pop()
    else if (name !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`
}

/** Decodes percent-encoding; returns text with an invalid encoding as is. */
export function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Decodes a name or a value of a query string, in which a plus sign is a space. */
export function decodeParam(part: string): string {
  return decode(part.replaceAll('+', ' '))
}
