import { isWithin } from '../../url/base.ts'
import type { Hooks } from '../contract/behaviour.ts'

/**
 * Creates the function that returns the path and query, with the base, that a request for a path and query is
 * handled as, where behaviours rewrite it.
 */
export function createReroute(
  behaviours: readonly Pick<Hooks, 'reroute'>[],
  base: string,
): (url: string) => string {
  return (url) => {
    if (!isWithin(url, base)) return url
    const below = url.slice(base.length)
    return base + behaviours.reduce((to, one) => one.reroute?.(to) ?? to, below)
  }
}
