/**
 * Compares two values by which records are sorted. Values of different types are ordered by `rankOfType`,
 * strings by code unit, numbers by size; null and undefined sort last in both directions.
 */
export function compareValues(left: unknown, right: unknown, descending: boolean): number {
  if (left === right) return 0
  const leftRank = rankOfType(left)
  const rightRank = rankOfType(right)
  if (leftRank === 4 || rightRank === 4) return leftRank - rightRank
  const sign =
    leftRank - rightRank || (leftRank === 3 ? 0 : (left as number) < (right as number) ? -1 : 1)
  return descending ? -sign : sign
}

/** Returns the rank of a type: numbers, strings, booleans, objects and arrays, then null and undefined. */
export function rankOfType(value: unknown): 0 | 1 | 2 | 3 | 4 {
  if (typeof value === 'number') return 0
  if (typeof value === 'string') return 1
  if (typeof value === 'boolean') return 2
  return value === null || value === undefined ? 4 : 3
}
