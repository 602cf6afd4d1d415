/**
 * Returns the value of an own property. An object without the field `constructor` would otherwise give the
 * value of this name that it inherits.
 */
export function ownValue<Value>(
  object: Readonly<Record<string, Value>> | undefined,
  name: string,
): Value | undefined {
  return object && Object.hasOwn(object, name) ? object[name] : undefined
}

/** A copy of an object with a property, or without it for undefined. `__proto__` is a property like any other. */
export function withValue<Value>(
  object: Readonly<Record<string, Value>>,
  name: string,
  value: Value | undefined,
): Record<string, Value> {
  if (value !== undefined) return { ...object, [name]: value }
  const copy = { ...object }
  delete copy[name]
  return copy
}
