import { isWithin } from '../../url/base.ts'
import type { Dialect } from '../../dialects/contract/dialect.ts'
import { decode } from '../../url/pattern.ts'

/** Whose paths are looked at. */
export interface Owner {
  base: string
  /** The resources. */
  names: readonly string[]
  /** The paths that are answered besides theirs. */
  routes: readonly string[]
  /** Has paths of its own, perhaps. */
  dialect: Pick<Dialect, 'locate'> | undefined
}

/**
 * Whether a path is below the base; without a base, whether its first segment names a resource or
 * begins one of the other routes.
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

/** Whether a dialect that has paths of its own finds a resource at a path. */
function locates(path: string, names: readonly string[], dialect: Owner['dialect']): boolean {
  try {
    const place = dialect?.locate?.({ method: 'GET', headers: {}, path }, names)
    return place !== undefined && names.includes(place.name)
  } catch {
    return false
  }
}
