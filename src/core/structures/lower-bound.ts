/** The first place in rising numbers whose value is at least that; their length where there is none. */
export function lowerBound(rising: ArrayLike<number>, least: number): number {
  let low = 0
  let high = rising.length
  // What is new mostly goes to the end.
  if (high === 0 || least > (rising[high - 1] ?? 0)) return high
  while (low < high) {
    const middle = (low + high) >> 1
    if ((rising[middle] ?? 0) < least) low = middle + 1
    else high = middle
  }
  return low
}
