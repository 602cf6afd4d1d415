/** Converts a value as `String` does, but never calls `toString` or `valueOf`, which a record may have as fields. */
export function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map((each) => (isNil(each) ? '' : textOf(each))).join()
  return typeof value === 'object' && value !== null ? '[object Object]' : String(value)
}

/** Whether `left <= right` in JavaScript, for any two values. */
export function isAtMost(left: unknown, right: unknown): boolean {
  return toPrimitive(left) <= toPrimitive(right)
}

/** Whether `left < right` in JavaScript, for any two values. */
export function isLess(left: unknown, right: unknown): boolean {
  return toPrimitive(left) < toPrimitive(right)
}

/** Whether a value is null or undefined. */
export function isNil(value: unknown): value is null | undefined {
  return value === null || value === undefined
}

// The cast satisfies the compiler only: `<` also compares strings, booleans, null and undefined.
function toPrimitive(value: unknown): number {
  return (typeof value === 'object' && value !== null ? textOf(value) : value) as number
}
