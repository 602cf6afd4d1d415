/** Whether the text writes a number as JSON does, a leading `+` or `.` allowed. */
export function isNumeric(text: string): boolean {
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)
}

/** A value that a filter compares with: from a URL always a text, from a JSON tree typed. */
export type Operand = string | number | boolean | null

/** What a stored value is found by; undefined for one that equals no operand. */
export function keyOfValue(value: unknown): string | undefined {
  if (typeof value === 'string') return `"${value}`
  const isPlain = typeof value === 'number' || typeof value === 'boolean' || value === null
  return isPlain ? String(value) : undefined
}

/**
 * The keys of the values that an operand equals, by their stored type: the text `1` equals the
 * number and the text, `null` the text and null.
 */
export function keysOfOperand(operand: Operand): string[] {
  if (operand === null) return ['null']
  const text = String(operand)
  const keys = [`"${text}`]
  if (text === 'true' || text === 'false' || operand === 'null') keys.push(text)
  if (typeof operand !== 'boolean' && isNumeric(text)) keys.push(String(Number(text)))
  return keys
}
