/**
 * Whether JSON can represent a value, so that a request to a running mock can contain the value. JSON has no
 * undefined, functions, symbols, big integers and NaN.
 */
export function isJsonValue(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  return ['string', 'boolean', 'object'].includes(typeof value)
}
