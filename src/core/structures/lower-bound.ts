/** Finds the index of the first of ascending numbers that is at least `least`; their count if all are less. */
export function lowerBound(ascending: ArrayLike<number>, least: number): number {
  const { length } = ascending
  // New values mostly belong at the end.
  if (length === 0 || least > (ascending[length - 1] ?? 0)) return length
  return firstAt(0, length, (at) => (ascending[at] ?? 0) >= least)
}

/**
 * Finds the first position from `low` on for which a test is true, by binary search; returns `high` if there is
 * none below. The test has to be true for all later positions, too.
 */
export function firstAt(low: number, high: number, test: (position: number) => boolean): number {
  while (low < high) {
    const middle = (low + high) >> 1
    if (test(middle)) high = middle
    else low = middle + 1
  }
  return low
}
