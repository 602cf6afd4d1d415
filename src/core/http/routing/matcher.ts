import { isMatched, parsePattern, type Pattern } from '../../url/pattern.ts'
import type { Exchange } from '../contract/exchange.ts'

/**
 * Parses a pattern to a test of requests: `POST /orders/:id/ship`, `orders` (the resource and all below),
 * `POST *`. Paths are relative to `base`; GET matches HEAD and QUERY too.
 */
export function toMatcher(text: string, base: string): Matcher {
  const pattern = parsePattern(text)
  const name = /(?:^|\s)([^\s/*][^\s]*)$/.exec(text.trim())?.[1]
  return ({ method, path, target }) => {
    if (isMatched(pattern, method, path.slice(base.length))) return true
    return (
      name !== undefined && target?.resource.name === name && isMatched(pattern, method, `/${name}`)
    )
  }
}

/** Returns whether a request matches a pattern. */
export type Matcher = (exchange: Exchange) => boolean

/** Whether a request matches a pattern, by its current path or by the path it was sent to. */
export function matches(pattern: Pattern, { method, path, request, service }: Exchange): boolean {
  const { length } = service.base
  return [path, request.path].some((one) => isMatched(pattern, method, one.slice(length)))
}
