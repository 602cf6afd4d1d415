import { define, isRecord, type Json, type JsonRecord } from '../../json/json.ts'
import { type Place, toAnyValue, toElement } from '../../shape/place.ts'

/**
 * Returns a copy of a fixture value in which every value at a place, such as `author.name`, is changed. The
 * copy shares unchanged parts.
 */
export function changeAt(value: Json, [step, ...rest]: Place, change: ValueChange): Json {
  if (step === undefined) return change(value) ?? null
  if (Array.isArray(value)) {
    return step === toElement ? value.map((inner) => changeAt(inner, rest, change)) : value
  }
  if (!isRecord(value)) return value
  if (step === toAnyValue && !Object.hasOwn(value, step)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, changeAt(inner, rest, change)]),
    )
  }
  const before = Object.hasOwn(value, step) ? value[step] : undefined
  const isLast = rest.length === 0
  if (before === undefined && !isLast) return value
  const after = isLast ? change(before) : changeAt(before ?? null, rest, change)
  return after === before ? value : withField(value, step, after)
}

/** Returns the new value of a place; undefined removes the field. A field that an object lacks is undefined. */
export type ValueChange = (value: Json | undefined) => Json | undefined

/** Returns a copy of an object in which a field has another name, at the same position. */
export function renameField(value: Json, from: string, to: string): Json {
  if (!isRecord(value) || !Object.hasOwn(value, from) || Object.hasOwn(value, to)) return value
  const copy: JsonRecord = {}
  for (const [key, inner] of Object.entries(value)) define(copy, key === from ? to : key, inner)
  return copy
}

function withField(object: JsonRecord, key: string, value: Json | undefined): JsonRecord {
  const copy: JsonRecord = { ...object }
  if (value === undefined) delete copy[key]
  else define(copy, key, value)
  return copy
}
