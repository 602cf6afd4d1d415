/**
 * Finds the path prefix that all recorded paths share, for the option `base`: `/api/v1`. Returns an empty text
 * if they share none. The last segment of a path names a resource and is no part of the prefix.
 */
export function findBase(paths: readonly (readonly string[])[]): string {
  const [first, ...others] = paths
  if (!first) return ''
  let length = first.length - 1
  for (const path of others) {
    length = Math.min(length, path.length - 1)
    while (length > 0 && !first.slice(0, length).every((one, at) => one === path[at])) length--
  }
  const segments = first.slice(0, Math.max(0, length))
  return segments.map((segment) => `/${segment}`).join('')
}
