/**
 * The value that a filter compares with: always a string in a URL, any scalar in a JSON tree. An operand equals
 * a stored value if `keysOfOperand` returns the key that `keyOfValue` returns for the value; indexes are maps
 * by these keys.
 */
export type Operand = string | number | boolean | null

/**
 * Returns the index keys of the stored values that an operand equals: the string `1` equals the number and the
 * string, the string `true` the boolean and the string, the string `null` null and the string.
 */
export function keysOfOperand(operand: Operand): string[] {
  if (operand === null) return ['null']
  const text = String(operand)
  const keys = [`"${text}`]
  if (text === 'true' || text === 'false' || operand === 'null') keys.push(text)
  if (typeof operand !== 'boolean' && isNumeric(text)) keys.push(String(Number(text)))
  return keys
}

/** Returns the index key of a stored value; undefined for objects and arrays, which equal no operand. */
export function keyOfValue(value: unknown): string | undefined {
  if (typeof value === 'string') return `"${value}`
  const isScalar = typeof value === 'number' || typeof value === 'boolean' || value === null
  return isScalar ? String(value) : undefined
}

/** Whether a string is a decimal number. Unlike JSON, accepts `+1`, `.5` and `1.`. */
export function isNumeric(text: string): boolean {
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)
}
