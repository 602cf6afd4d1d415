/**
 * The types of JSON values (JSON Schema Core §4.2.1), by which keywords say what they apply to. An integer has
 * the type `number`.
 */
export const jsonTypes = ['array', 'boolean', 'null', 'number', 'object', 'string'] as const

export type JsonType = (typeof jsonTypes)[number]

/** Returns the type of a JSON value. */
export function typeOf(value: unknown): JsonType {
  if (Array.isArray(value)) return 'array'
  const type = typeof value
  const isNamed = type === 'string' || type === 'number' || type === 'boolean'
  if (isNamed) return type
  return type === 'object' && value !== null ? 'object' : 'null'
}
