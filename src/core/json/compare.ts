/**
 * Returns the rank of a value's type, by which `compareValues` orders values of different types:
 * numbers, strings, booleans, objects and arrays, then null and undefined.
 */
function kind(value: unknown): number {
  if (typeof value === 'number') return 0
  if (typeof value === 'string') return 1
  if (typeof value === 'boolean') return 2
  return value === null || value === undefined ? 4 : 3
}

/** Compares two values for sorting, strings by code unit; null and undefined sort last in both directions. */
export function compareValues(left: unknown, right: unknown, descending: boolean): number {
  if (left === right) return 0
  const leftKind = kind(left)
  const rightKind = kind(right)
  if (leftKind === 4 || rightKind === 4) return leftKind - rightKind
  const sign =
    leftKind - rightKind || (leftKind === 3 ? 0 : (left as number) < (right as number) ? -1 : 1)
  return descending ? -sign : sign
}
