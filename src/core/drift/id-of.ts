import { isRecord } from '../json/json.ts'

/** Returns the id of a record as text, by which records of both sides are matched; undefined without an id. */
export function idOf(value: unknown, idField: string): string | undefined {
  const id = isRecord(value) ? value[idField] : undefined
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
}
