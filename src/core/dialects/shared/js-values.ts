/** The text of a value, as JavaScript makes it; an object never has a say in it. */
export function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map((each) => (isNil(each) ? '' : textOf(each))).join()
  return typeof value === 'object' && value !== null ? '[object Object]' : String(value)
}

/** Whether one value is at most another, by the rules of JavaScript for any two values. */
export function isAtMost(left: unknown, right: unknown): boolean {
  return toPrimitive(left) <= toPrimitive(right)
}

/** Whether one value is less than another, by the rules of JavaScript for any two values. */
export function isLess(left: unknown, right: unknown): boolean {
  return toPrimitive(left) < toPrimitive(right)
}

/** Whether there is no value. */
export function isNil(value: unknown): value is null | undefined {
  return value === null || value === undefined
}

// The types are a claim: JavaScript compares texts, numbers, booleans, null and undefined alike.
function toPrimitive(value: unknown): number {
  return (typeof value === 'object' && value !== null ? textOf(value) : value) as number
}
