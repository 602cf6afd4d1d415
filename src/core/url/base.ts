/** The base as paths are compared with it: `/api`, or nothing. */
export function toBase(base = ''): string {
  const trimmed = base.replace(/^\/+|\/+$/g, '')
  return trimmed === '' ? '' : `/${trimmed}`
}

/** Whether a path is the base, or below it. */
export function isWithin(path: string, base: string): boolean {
  return path === base || path.startsWith(`${base}/`)
}

/** A path below the base, also one that has the base in front. */
export function withoutBase(path: string, base: string): string {
  return isWithin(path, base) ? path.slice(base.length) || '/' : path
}
