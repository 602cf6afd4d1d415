import { isRecord, type Json, type JsonRecord } from '../../json/json.ts'

/** Gives records without an id a hidden id, which the store uses and clients do not see. */
export function hideMissingIds(name: string, value: Json, idField: string): Json {
  if (!Array.isArray(value) || !value.every(isRecord)) return value
  return value.map((record, index) =>
    Object.hasOwn(record, idField) ? record : withHiddenId(record, idField, `\0${name}/${index}`),
  )
}

/** Copies a record with a hidden id: a property that is not enumerable. */
export function withHiddenId(record: JsonRecord, idField: string, id: string): JsonRecord {
  return Object.defineProperty({ ...record }, idField, { value: id })
}
