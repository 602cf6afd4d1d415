/** How many bytes at the start of both are the same. */
export function countSameStart(a: Buffer, b: Buffer): number {
  const most = Math.min(a.length, b.length)
  let same = 0
  for (const step of STEPS) {
    while (same + step <= most && isSame(a, same, b, same, step)) same += step
  }
  while (same < most && a[same] === b[same]) same++
  return same
}

/** How many bytes at the end of both are the same, of so many at most. */
export function countSameEnd(a: Buffer, b: Buffer, most: number): number {
  const [endA, endB] = [a.length, b.length]
  let same = 0
  for (const step of STEPS) {
    const next = (): number => same + step
    while (next() <= most && isSame(a, endA - next(), b, endB - next(), step)) same += step
  }
  while (same < most && a[endA - 1 - same] === b[endB - 1 - same]) same++
  return same
}

/** So many bytes are compared at once, a hundred times as fast as one by one; ever fewer at the end. */
const STEPS = [65_536, 2048, 64]

function isSame(a: Buffer, atA: number, b: Buffer, atB: number, count: number): boolean {
  return a.compare(b, atB, atB + count, atA, atA + count) === 0
}
