let last = 0

/**
 * Returns the next version number of a resource, unique in the process. A fork of a resource keeps the
 * version until its first write, so resources with equal versions have equal content.
 */
export function nextVersion(): number {
  return ++last
}
