import { isRecord } from '../json/json.ts'

/** The id of a record as text; undefined without an id. */
export function idOf(value: unknown, idField: string): string | undefined {
  const id = isRecord(value) ? value[idField] : undefined
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
}
