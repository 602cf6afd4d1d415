/** Whether JSON can represent a value, as it cannot undefined, functions, symbols and NaN. */
export function isJsonValue(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  return ['string', 'boolean', 'object'].includes(typeof value)
}
