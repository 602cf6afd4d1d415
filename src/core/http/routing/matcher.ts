import { isMeant, parsePattern, type Pattern } from '../../url/pattern.ts'
import type { Exchange } from '../contract/exchange.ts'

/** Whether a request is meant. */
export type Matcher = (exchange: Exchange) => boolean

/** Whether a pattern means a request, by its path below the base or by the one that it came with. */
export function means(pattern: Pattern, { method, path, request, service }: Exchange): boolean {
  const { length } = service.base
  return [path, request.path].some((one) => isMeant(pattern, method, one.slice(length)))
}

/**
 * Reads which requests are meant: `POST /orders/:id/ship`, `orders` (the resource, by whichever path,
 * and everything below it), `POST *`. Paths are below the base; GET means HEAD too.
 */
export function toMatcher(text: string, base: string): Matcher {
  const pattern = parsePattern(text)
  const name = /(?:^|\s)([^\s/*][^\s]*)$/.exec(text.trim())?.[1]
  return ({ method, path, target }) => {
    if (isMeant(pattern, method, path.slice(base.length))) return true
    return (
      name !== undefined && target?.resource.name === name && isMeant(pattern, method, `/${name}`)
    )
  }
}
