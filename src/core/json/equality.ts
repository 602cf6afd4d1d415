/**
 * The value that a filter compares with: always a string in a URL, any scalar in a JSON tree. An operand equals the
 * stored scalars that `equalsOf` returns; indexes are maps by stored scalars.
 */
export type Operand = string | number | boolean | null

/**
 * Returns the stored values that an operand equals: the string `1` equals the number and the string, the string
 * `true` the boolean and the string, the string `null` null and the string.
 */
export function equalsOf(operand: Operand): Operand[] {
  if (operand === null) return [null]
  const text = String(operand)
  const values: Operand[] = [text]
  if (text === 'true' || text === 'false') values.push(text === 'true')
  else if (operand === 'null') values.push(null)
  else if (isNumeric(text)) values.push(Number(text))
  return values
}

/** Whether a stored value is neither an object nor an array, which equal no operand. */
export function isScalar(value: unknown): value is Operand {
  return value === null || (value !== undefined && typeof value !== 'object')
}

/** Whether a string is a decimal number. Unlike JSON, accepts `+1`, `.5` and `1.`. */
export function isNumeric(text: string): boolean {
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)
}
