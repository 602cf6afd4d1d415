import { define, type JsonRecord, ownValue } from '../../json/json.ts'

/** What fields are called instead. */
export type FieldMap = Record<string, string>

/** The map that leads back. */
export function turnAround(fields: FieldMap): FieldMap {
  return Object.fromEntries(Object.entries(fields).map(([name, other]) => [other, name]))
}

/** The record with some fields called otherwise, each in its place; a field that is there already gives way. */
export function renameFields(record: JsonRecord, fields: FieldMap): JsonRecord {
  const renamed: JsonRecord = {}
  const taken = new Set(Object.keys(record).flatMap((key) => ownValue(fields, key) ?? []))
  for (const key of Object.keys(record)) {
    if (taken.has(key) && !Object.hasOwn(fields, key)) continue
    define(renamed, ownValue(fields, key) ?? key, record[key])
  }
  return renamed
}
