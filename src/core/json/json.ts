/** Any value that JSON (RFC 8259) can represent: a string, a number, a boolean, null, an array or an object. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

/** A record of a collection, or a singleton: a JSON object. */
export type JsonRecord = { [key: string]: Json }

/** Whether the value is an object that is neither null nor an array. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Serializes a value as JSON. @throws TypeError for a function, a promise, a map or the like, which JSON would drop */
export function toJson(value: unknown): string {
  const text = (JSON.stringify(value) as string | undefined) ?? '{}'
  if (text !== '{}' || tagOf(value) === 'Object') return text
  throw new TypeError('Please give plain data')
}

/** Returns the class of an object, also of another realm: `Object`, `Date`, `Map` (ECMA-262 §20.1.3.6). */
export function tagOf(value: unknown): string {
  return {}.toString.call(value).slice('[object '.length, -1)
}

/** Parses JSON. @throws SyntaxError */
export function parseJson(text: string): Json {
  return JSON.parse(text) as Json
}

/** Parses a text that may be JSON; undefined for any other text. */
export function tryJson(text: string): Json | undefined {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

/** Whether two JSON values are deeply equal; the order of an object's keys is ignored. */
export function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (typeof left !== 'object' || typeof right !== 'object' || !left || !right) return false
  if (Array.isArray(left)) {
    if (!Array.isArray(right) || left.length !== right.length) return false
    return left.every((value, at) => isSame(value, right[at]))
  }
  if (Array.isArray(right)) return false
  const a = left as Record<string, unknown>
  const b = right as Record<string, unknown>
  // `for in` is five times as fast as comparing lists of keys.
  let extraKeys = 0
  for (const key in a) {
    if (!isSame(a[key], b[key]) || (key === '__proto__' && !Object.hasOwn(b, key))) return false
    extraKeys++
  }
  for (const _ in b) extraKeys--
  return extraKeys === 0
}

/** Whether the callback returns true for any string, number or boolean in a JSON value, at any depth. */
export function someScalar(value: unknown, callback: (value: unknown) => unknown): boolean {
  if (typeof value !== 'object') return Boolean(callback(value))
  for (const key in value) if (someScalar((value as JsonRecord)[key], callback)) return true
  return false
}

/** Deep copies a JSON value. */
export function clone<T>(value: T): T {
  if (Array.isArray(value)) return value.map(clone) as T
  if (!isRecord(value)) return value
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(value)) define(copy, key, clone(value[key]))
  return copy as T
}

/** Returns the value of an own property; undefined for inherited names such as `constructor`. */
export function ownValue<T>(object: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** Sets an own property; `__proto__` becomes a plain property instead of changing the prototype. */
export function define(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') target[key] = value
  else
    Object.defineProperty(target, key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    })
}
