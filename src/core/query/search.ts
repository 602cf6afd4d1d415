import type { JsonRecord } from '../json/json.ts'
import type { Predicate } from './predicate.ts'

/** Creates the predicate that any value at any depth contains the text, ignoring case. */
export function compileSearch(search: string): Predicate {
  const wanted = search.toLowerCase()
  return (record: JsonRecord) => contains(record, wanted)
}

function contains(value: unknown, wanted: string): boolean {
  if (typeof value === 'string') return value.toLowerCase().includes(wanted)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value).includes(wanted)
  for (const key in value as object) {
    if (contains((value as Record<string, unknown>)[key], wanted)) return true
  }
  return false
}
