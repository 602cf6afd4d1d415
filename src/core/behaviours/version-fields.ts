import { define, type JsonRecord } from '../json.ts'

/** What fields are called instead. */
export type FieldMap = Record<string, string>

/** The map that leads back. */
export function turnAround(fields: FieldMap): FieldMap {
  return Object.fromEntries(Object.entries(fields).map(([name, other]) => [other, name]))
}

/** The record with some fields called otherwise, each in its place; a field that is there already gives way. */
export function renameFields(record: JsonRecord, fields: FieldMap): JsonRecord {
  const renamed: JsonRecord = {}
  const taken = new Set(
    Object.keys(record).flatMap((key) => (Object.hasOwn(fields, key) ? (fields[key] ?? []) : [])),
  )
  for (const key of Object.keys(record)) {
    if (taken.has(key) && !Object.hasOwn(fields, key)) continue
    define(renamed, other(key, fields), record[key])
  }
  return renamed
}

function other(field: string, fields: FieldMap): string {
  return Object.hasOwn(fields, field) ? (fields[field] ?? field) : field
}
