/** The first index of ascending numbers whose value is at least `least`; the length if there is no such value. */
export function lowerBound(ascending: ArrayLike<number>, least: number): number {
  let low = 0
  let high = ascending.length
  // New values mostly belong at the end.
  if (high === 0 || least > (ascending[high - 1] ?? 0)) return high
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ascending[middle] ?? 0) < least) low = middle + 1
    else high = middle
  }
  return low
}
