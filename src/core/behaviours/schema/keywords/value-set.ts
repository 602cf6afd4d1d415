import { toCanonicalJson } from '../../../json/canonical-json.ts'

/**
 * Creates a set of JSON values for `uniqueItems`, `enum` and `const`. Objects with the same members are equal,
 * whatever the order of their keys (JSON Schema Core §4.2.2). An operation takes time proportional to the size
 * of its value.
 */
export function createValueSet(values: readonly unknown[] = []): ValueSet {
  const scalars = new Set<unknown>()
  const canonicalTexts = new Set<string>()
  const has = (value: unknown): boolean =>
    isScalar(value) ? scalars.has(value) : canonicalTexts.has(toCanonicalJson(value))
  const add = (value: unknown): boolean => {
    const set: Set<unknown> = isScalar(value) ? scalars : canonicalTexts
    const { size } = set
    return set.add(isScalar(value) ? value : toCanonicalJson(value)).size > size
  }
  values.forEach(add)
  return { has, add }
}

/** A set of JSON values, compared by content. */
interface ValueSet {
  has(value: unknown): boolean
  /** Adds a value; returns false if the set has an equal value. */
  add(value: unknown): boolean
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null
}
