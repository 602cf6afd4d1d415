let last = 0

/**
 * Returns a version number for a resource that has changed, unique in the process: caches compare the version
 * to see whether they are still valid. A fork keeps the version until its first write, so resources with equal
 * versions have equal content.
 */
export function nextVersion(): number {
  return ++last
}
