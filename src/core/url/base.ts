/**
 * Normalizes the base of a mock, which is the prefix of all its paths, to a leading slash and no
 * trailing slash: `api/` becomes `/api`. The root becomes an empty string.
 */
export function toBase(base = ''): string {
  const trimmed = base.replace(/^\/+|\/+$/g, '')
  return trimmed === '' ? '' : `/${trimmed}`
}

/** Whether a value is a URL path that needs no encoding or normalization; it may be empty. */
export function isBase(value: unknown): boolean {
  return typeof value === 'string' && !/[^!-~]|[?#\\]|:\/\/|(?:^|\/)\.\.?(?:\/|$)/.test(value)
}

/** Whether a path is the base path or below the base path. */
export function isWithin(path: string, base: string): boolean {
  return path === base || path.startsWith(`${base}/`)
}

/** Removes the base from a path; a path outside the base is returned as is. */
export function withoutBase(path: string, base: string): string {
  return isWithin(path, base) ? path.slice(base.length) || '/' : path
}
