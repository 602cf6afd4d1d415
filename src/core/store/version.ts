let last = 0

/**
 * A number that was not returned before. Forks keep the version of their original until a write, so the
 * numbers are unique in the process: equal versions mean equal records.
 */
export function nextVersion(): number {
  return ++last
}
