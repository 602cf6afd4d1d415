import type { Check } from '../errors/check.ts'

/**
 * Normalizes the path prefix of a mock (option `base`) to a leading slash and no trailing slash: `api/` becomes
 * `/api`. The root becomes an empty string.
 */
export function toBase(base = ''): string {
  const trimmed = base.replace(/^\/+|\/+$/g, '')
  return trimmed === '' ? '' : `/${trimmed}`
}

/** Whether a value is a URL path that needs no encoding or normalization; it may be empty. */
export function isBase(value: unknown): boolean {
  return typeof value === 'string' && !/[^!-~]|[?#\\]|:\/\/|(?:^|\/)\.\.?(?:\/|$)/.test(value)
}

/** A path of an endpoint below the base, such as `/login`. */
export const isEndpointPath: Check = [
  (value) => value !== '' && isBase(value),
  'a path such as /login',
]

/** Whether a path is the path prefix or below it. */
export function isWithin(path: string, base: string): boolean {
  return path === base || path.startsWith(`${base}/`)
}

/** Removes the path prefix from a path; returns any other path as is. */
export function withoutBase(path: string, base: string): string {
  return isWithin(path, base) ? path.slice(base.length) || '/' : path
}
