import type { Service } from './exchange.ts'

/**
 * Whether a path is below the base; without a base, whether its first segment names a resource or
 * begins one of the other routes.
 */
export function ownsPath(
  path: string,
  service: Pick<Service, 'base' | 'store' | 'dialect'>,
  routes: readonly string[],
): boolean {
  const { base, store } = service
  if (base !== '') return path === base || path.startsWith(`${base}/`)
  const first = path.split('/', 2)[1] ?? ''
  if (routes.some((route) => route.split('/', 2)[1] === first)) return true
  for (const name of store.resources.keys()) {
    if (name === first || name.startsWith(`${first}/`) || encodeURIComponent(name) === first)
      return true
  }
  return locates(path, service)
}

/** Whether a dialect that has paths of its own finds a resource at a path. */
function locates(
  path: string,
  { base, store, dialect }: Pick<Service, 'base' | 'store' | 'dialect'>,
): boolean {
  try {
    const call = { method: 'GET', headers: {}, path: path.slice(base.length) }
    const place = dialect.locate?.(call, [...store.resources.keys()])
    return place !== undefined && store.resources.has(place.name)
  } catch {
    return false
  }
}
