import { isDate } from '../../core/formats/dates.ts'
import { isRecord, ownValue, tryJson } from '../../core/json/json.ts'
import type { Row } from '../app/state.ts'
import type { Relation } from './relations.ts'

/**
 * A field of the records of a collection, from the JSON Schema of the mock. The field decides how its values
 * are shown, edited and parsed.
 */
export interface Field {
  name: string
  kind: FieldKind
  /** The format of texts, such as `email`. */
  format: string
  /** The values of an enum. */
  values: readonly unknown[]
  isNullable: boolean
  isRequired: boolean
  isReadOnly: boolean
  /** What the schema says besides about the values, in words: `at least 0`. */
  rule?: string
  /** The relation whose ids the field holds. */
  relation?: Relation
  /** The values that few records repeat, as suggestions. */
  suggestions?: readonly string[]
  /** Whether the field holds a file, or a list of files, with URLs of their own. */
  isFile?: boolean
  /** The fields inside of the objects of the field, named by paths such as `address.city`. */
  inner?: readonly Field[]
  /** The items of a list, whose field has the name of the list. */
  item?: Field
}

/** The questions of an editor of records to the schema of their collection. */
export interface RecordChecks {
  /** The fields with the types of the schema, which may arrive after the records. */
  loadFields(): Promise<readonly Field[]>
  /** The errors of a record by field, by the schema of the collection. */
  check(record: Row): Promise<Record<string, string>>
}

/** The kinds of values, which decide the input and the parsing. */
export type FieldKind =
  | 'string'
  | 'text'
  | 'number'
  | 'integer'
  | 'boolean'
  | 'enum'
  | 'date'
  | 'date-time'
  | 'json'
  | 'any'

/** Returns the text of a value as a person edits it; `parseValue` reads the text. */
export function toText(value: unknown, kind: FieldKind): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string' && kind !== 'json') return value
  return JSON.stringify(value)
}

/** Returns the value of a field of a record: of its own property, or inside of objects by a path with dots. */
export function valueOf(record: Row, { name }: Pick<Field, 'name'>): unknown {
  if (Object.hasOwn(record, name) || !name.includes('.')) return ownValue(record, name)
  return name
    .split('.')
    .reduce<unknown>((value, key) => (isRecord(value) ? ownValue(value, key) : undefined), record)
}

/** A copy of a record with the value of a field, or without the field for undefined. */
export function withFieldValue(record: Row, name: string, value: unknown): Row {
  const [first = '', ...rest] = name.split('.')
  const isOwn = Object.hasOwn(record, name) || rest.length === 0 || !Object.hasOwn(record, first)
  if (isOwn) return withValue(record, name, value)
  const inner = record[first]
  const object = isRecord(inner) ? inner : {}
  return { ...record, [first]: withFieldValue(object, rest.join('.'), value) }
}

/** Reads the text of an editor; throws an error that names the expected kind. */
export function parseValue(text: string, { kind, name, isNullable, values }: Field): unknown {
  const wrong = (expected: string): Error =>
    new Error(`"${name}" must be ${expected}. Please correct "${text.slice(0, 40)}".`)
  if (text.trim() === '' && isNullable && kind !== 'string' && kind !== 'text') return null
  if (kind === 'enum') {
    const value = values.find((one) => String(one) === text)
    // The schema, which may be no more than what the records have in common, is checked afterwards.
    if (value !== undefined || values.some((one) => typeof one === 'string')) return value ?? text
    throw wrong(`one of ${values.map(String).join(', ')}`)
  }
  if (kind === 'number' || kind === 'integer') {
    const value = Number(text)
    if (text.trim() === '' || !Number.isFinite(value)) throw wrong('a number')
    if (kind === 'integer' && !Number.isInteger(value)) throw wrong('an integer')
    return value
  }
  if (kind === 'boolean') {
    if (/^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true'
    throw wrong('true or false')
  }
  if (kind === 'date' && !isDate(text)) throw wrong('a date such as 2026-05-01')
  if (kind === 'date-time' && !isDateTime(text))
    throw wrong('a date and time such as 2026-05-01T09:30:00Z')
  if (kind === 'json') {
    const value = tryJson(text)
    if (value === undefined) throw wrong('JSON')
    return value
  }
  if (kind === 'any' && /^[[{"\d-]|^(?:true|false|null)$/.test(text)) {
    const value = tryJson(text)
    return value === undefined ? text : value
  }
  return text
}

/** Returns the value of a field that is cleared: null, or undefined if the field cannot be null but can be missing. */
export function emptyValue({ name, isNullable, isRequired }: Field): null | undefined {
  if (isNullable) return null
  if (isRequired) throw new Error(`"${name}" can be neither null nor missing.`)
  return undefined
}

/** Whether a text is a date with a time and, at best, an offset (RFC 3339 `date-time`). */
function isDateTime(text: string): boolean {
  const [, day = '', time = ''] =
    /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(?:Z|[+-]\d\d:?\d\d)?$/i.exec(text) ?? []
  return isDate(day) && !Number.isNaN(Date.parse(`1970-01-01T${time}Z`))
}

/** A copy of an object with a property, or without it for undefined. `__proto__` is a property like any other. */
export function withValue<Value>(
  object: Readonly<Record<string, Value>>,
  name: string,
  value: Value | undefined,
): Record<string, Value> {
  if (value !== undefined) return { ...object, [name]: value }
  const copy = { ...object }
  delete copy[name]
  return copy
}
