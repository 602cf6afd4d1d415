import { isMatched, parsePattern, type Pattern } from '../../url/pattern.ts'
import type { Exchange } from '../contract/exchange.ts'

/**
 * Parses a pattern to a test of requests: `POST /orders/:id/ship`, `orders` (the resource and all below),
 * `POST *`. Paths are relative to the base; GET matches HEAD and QUERY too.
 */
export function toMatcher(text: string): Matcher {
  const pattern = parsePattern(text)
  const name = /(?:^|\s)([^\s/*][^\s]*)$/.exec(text.trim())?.[1]
  return (exchange) => {
    const { method, target } = exchange
    if (matches(pattern, exchange)) return true
    return (
      name !== undefined && target?.resource.name === name && isMatched(pattern, method, `/${name}`)
    )
  }
}

/** Returns whether a request matches a pattern. */
export type Matcher = (exchange: Exchange) => boolean

/** Whether a request matches a pattern: as it is now, as a middleware has changed it, or as the client sent it. */
export function matches(pattern: Pattern, exchange: Exchange): boolean {
  const { method, path, request, service, operation } = exchange
  const { length } = service.base
  const { received } = request
  return (
    isMatched(pattern, method, path.slice(length)) ||
    (request.path !== path && isMatched(pattern, method, request.path.slice(length))) ||
    (received !== undefined && isMatched(pattern, received.method, received.path.slice(length))) ||
    (operation !== undefined && isMatched(pattern, operation.method, operation.path.slice(length)))
  )
}
