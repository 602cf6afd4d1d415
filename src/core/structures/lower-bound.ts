/**
 * Returns the index of the first number that is at least `least` in ascending numbers, by binary
 * search; the number of numbers if all of them are less.
 */
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
