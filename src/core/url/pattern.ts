import { wrong, wrongValue } from '../errors/check.ts'
import { nearest } from '../errors/nearest.ts'

/** Which requests are meant: `POST *`, `orders`, `GET,PUT /posts/:id`, `/admin/*`, `*`. */
export interface Pattern {
  /** In upper case; undefined for any. */
  methods: readonly string[] | undefined
  /** The parameters of a path below the base that is meant, else undefined. */
  match(path: string): Record<string, string> | undefined
}

/**
 * Reads a pattern: a method or none, then a path. A name without a slash in front stands for a
 * resource and all below it; `:name` for one segment; `*` at the end for any rest.
 * @throws MockError for a query, and for a method that is but a slip away from one that there is
 */
export function parsePattern(text: string): Pattern {
  const [first, path] = splitPattern(text)
  const wanted = first === '*' || first === 'ANY' ? undefined : first.toUpperCase().split(',')
  for (const one of wanted ?? []) {
    const near = methods.includes(one) ? undefined : nearest(one, methods)
    if (near === undefined) continue
    throw wrong(`the pattern "${text}"`, `there is no method "${one}". Did you mean "${near}"?`)
  }
  if (path.includes('?')) throw wrongValue('the path of a pattern', path, 'one without a query')
  return { methods: wanted, match: createMatch(path) }
}

/** The method and the path of a pattern; `*` for what it leaves out. */
export function splitPattern(text: string): [method: string, path: string] {
  const [first = '', second] = text.trim().split(/\s+/)
  const hasMethod = second !== undefined || /^[A-Z,]+$/.test(first)
  return hasMethod ? [first, second ?? '*'] : ['*', first]
}

/** Those of RFC 9110, RFC 5789 and RFC 10008; others may be meant too. */
const methods = 'GET HEAD POST PUT PATCH DELETE QUERY OPTIONS CONNECT TRACE ANY *'.split(' ')

/** Whether a pattern matches a request; `GET` matches HEAD too. */
export function isMatched(pattern: Pattern, method: string, path: string): boolean {
  return hasMethod(pattern, method) && pattern.match(path) !== undefined
}

/** Whether a pattern matches a method; `GET` matches HEAD too. */
export function hasMethod({ methods: wanted }: Pattern, method: string): boolean {
  return wanted?.includes(method === 'HEAD' && !wanted.includes('HEAD') ? 'GET' : method) ?? true
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

/** A part of a URL without escapes; as it is where one is broken. */
export function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The same for a query, where a plus sign is a space. */
export function decodeParam(part: string): string {
  return decode(part.replaceAll('+', ' '))
}
