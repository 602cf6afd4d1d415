/**
 * Whether a string is a decimal number, so that the operand `1` of a filter also equals the number 1.
 * Unlike JSON, accepts `+1`, `.5` and `1.`.
 */
export function isNumeric(text: string): boolean {
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)
}

/** The value that a filter compares with: always a string in a URL, any scalar in a JSON tree. */
export type Operand = string | number | boolean | null

/** The index key of a stored value; undefined for objects and arrays, which equal no operand. */
export function keyOfValue(value: unknown): string | undefined {
  if (typeof value === 'string') return `"${value}`
  const isScalar = typeof value === 'number' || typeof value === 'boolean' || value === null
  return isScalar ? String(value) : undefined
}

/**
 * The index keys of the stored values that an operand equals: the string `1` equals the number and the string, the
 * string `true` the boolean and the string, the string `null` null and the string.
 */
export function keysOfOperand(operand: Operand): string[] {
  if (operand === null) return ['null']
  const text = String(operand)
  const keys = [`"${text}`]
  if (text === 'true' || text === 'false' || operand === 'null') keys.push(text)
  if (typeof operand !== 'boolean' && isNumeric(text)) keys.push(String(Number(text)))
  return keys
}
