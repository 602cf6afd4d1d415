import { hash } from '../../time/random.ts'
import { compareTexts } from '../parse/parsed-exchange.ts'

/**
 * Returns a digest of JSON data, by which a later change of the data is noticed. Objects with the same members
 * in another order have the same digest.
 */
export function digestOf(value: unknown): string {
  const text = JSON.stringify(canonical(value))
  return `${hash(text).toString(36)}-${text.length.toString(36)}`
}

/** Converts the objects in a value to lists of members, sorted by key, so that equal data has equal JSON. */
export function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => compareTexts(a, b))
  // Pairs keep this order; an object would put keys that are numbers first.
  return { entries: entries.map(([key, inner]) => [key, canonical(inner)]) }
}
