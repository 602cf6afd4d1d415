import type { Exchange } from './exchange.ts'

/** Tells whether a request is meant, and what the places of the pattern hold. */
export type Pattern = (exchange: Exchange) => Record<string, string> | undefined

/**
 * Reads which requests are meant: `POST /orders/:id/ship`, `GET,PUT /orders/*`, `orders` (the
 * resource and everything below it), `POST *`. Paths are below the base; GET means HEAD too.
 */
export function toPattern(text: string, base: string): Pattern {
  const [first = '', second] = text.trim().split(/\s+/)
  const methods = second === undefined ? undefined : new Set(first.split(','))
  if (methods?.has('GET')) methods.add('HEAD')
  const place = toPlace(second ?? first, base)
  return (exchange) => (methods && !methods.has(exchange.method) ? undefined : place(exchange))
}

/** Reads which paths are meant: `/orders/:id`, with `*` at the end for everything below. */
export function toPathPattern(
  pattern: string,
): (path: string) => Record<string, string> | undefined {
  const wanted = toSegments(pattern)
  const isOpen = wanted.at(-1) === '*'
  if (isOpen) wanted.pop()
  return (path) => {
    const segments = toSegments(path)
    if (segments.length < wanted.length || (segments.length > wanted.length && !isOpen)) return
    const places: Record<string, string> = {}
    for (const [at, one] of wanted.entries()) {
      const segment = decode(segments[at] ?? '')
      if (one.startsWith(':')) places[one.slice(1)] = segment
      else if (one !== '*' && decode(one) !== segment) return
    }
    return places
  }
}

function toPlace(text: string, base: string): Pattern {
  if (text === '*') return () => ({})
  if (text.startsWith('/')) {
    const match = toPathPattern(base + text)
    return ({ path }) => match(path)
  }
  const below = toPathPattern(`${base}/${text}/*`)
  return ({ path, target }) => (target?.resource.name === text ? {} : below(path))
}

function toSegments(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '')
}

/** A segment that cannot be decoded stands for itself: the look-up of the path answers it. */
function decode(segment: string): string {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
