import type { JsonRecord } from '../json/json.ts'
import type { Predicate } from './predicate.ts'

/**
 * Creates the predicate of a full-text search: a record matches if a string, number or boolean at any depth
 * of the record contains the text, ignoring case. The keys of the record are not searched.
 */
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
