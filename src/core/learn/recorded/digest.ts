import { hash } from '../../time/random.ts'
import { compareTexts } from '../parse/parsed-exchange.ts'

/** A digest of data by its JSON, in which the order of keys does not count. */
export function digestOf(value: unknown): string {
  const text = JSON.stringify(canonical(value))
  return `${hash(text).toString(36)}-${text.length.toString(36)}`
}

/** A value whose objects have their keys in order. */
export function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => compareTexts(a, b))
  // A list of pairs: an object would sort keys that are numbers.
  return { entries: entries.map(([key, inner]) => [key, canonical(inner)]) }
}
