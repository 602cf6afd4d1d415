import { define, type JsonRecord, ownValue } from '../../json/json.ts'

/**
 * Renames fields of a record as a version of the API names them, and keeps their order. A field that already
 * has one of the new names is removed.
 */
export function renameFields(record: JsonRecord, fields: FieldMap): JsonRecord {
  const renamed: JsonRecord = {}
  const newNames = new Set(Object.keys(record).flatMap((key) => ownValue(fields, key) ?? []))
  for (const key of Object.keys(record)) {
    if (newNames.has(key) && !Object.hasOwn(fields, key)) continue
    define(renamed, ownValue(fields, key) ?? key, record[key])
  }
  return renamed
}

/** Swaps old and new names, so that renamed fields can be converted back to their names in the fixtures. */
export function invert(fields: FieldMap): FieldMap {
  return Object.fromEntries(Object.entries(fields).map(([name, other]) => [other, name]))
}

/** The new names of fields, by their name in the fixtures: `{ title: 'headline' }`. */
export type FieldMap = Record<string, string>
