import { isWithin } from '../../url/base.ts'
import type { Dialect } from '../../dialects/contract/dialect.ts'
import { decode } from '../../url/pattern.ts'
import type { Hooks } from '../contract/hooks.ts'

/**
 * Returns whether a mock answers a path, or leaves the path to others, such as the pages of an app. With a path
 * prefix (option `base`), the mock answers every path below the prefix; without, the paths whose first segment
 * names a resource or begins another route.
 */
export function ownsPath(path: string, { base, names, routes, dialect }: Owner): boolean {
  if (base !== '') return isWithin(path, base)
  const [, first = ''] = path.split('/', 2)
  const [plain] = decode(first).split('/', 1)
  return (
    routes.some((route) => route.split('/', 2)[1] === first) ||
    names.some((name) => name.split('/', 1)[0] === plain) ||
    locates(path, names, dialect)
  )
}

/** The input of `ownsPath`: the base, the resources, the routes and the dialect of a mock. */
export interface Owner {
  base: string
  /** The names of the resources. */
  names: readonly string[]
  /** The paths of routes and rules, below the base. */
  routes: readonly string[]
  /** A dialect that may have paths of its own. */
  dialect: Pick<Dialect, 'locate'> | undefined
}

/** Whether a dialect with paths of its own finds a resource at a path. */
function locates(path: string, names: readonly string[], dialect: Owner['dialect']): boolean {
  try {
    const place = dialect?.locate?.({ method: 'GET', headers: {}, path }, names)
    return place !== undefined && names.includes(place.name)
  } catch {
    return false
  }
}

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
