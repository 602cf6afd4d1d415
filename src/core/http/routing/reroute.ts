import { isWithin } from '../../url/base.ts'
import type { Hooks } from '../contract/hooks.ts'

/**
 * Creates the function that returns a path and query as behaviours such as `rewrite` change them before the
 * request is handled; returns others unchanged. Both URLs start with the path prefix (option `base`).
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
