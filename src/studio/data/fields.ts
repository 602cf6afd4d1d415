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

/** Reads the text of an editor; throws an error that names the expected kind. */
export function parseValue(text: string, { kind, name, isNullable, values }: Field): unknown {
  const wrong = (expected: string): Error =>
    new Error(`"${name}" must be ${expected}. Please correct "${text.slice(0, 40)}".`)
  if (text.trim() === '' && isNullable && kind !== 'string' && kind !== 'text') return null
  if (kind === 'enum') return values.find((value) => String(value) === text) ?? text
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
  if (kind === 'date' && !/^\d{4}-\d\d-\d\d$/.test(text)) throw wrong('a date such as 2026-05-01')
  if (kind === 'date-time' && Number.isNaN(Date.parse(text)))
    throw wrong('a date and time such as 2026-05-01T09:30:00Z')
  if (kind === 'json') return parseJson(text, wrong)
  if (kind === 'any' && /^[[{"\d-]|^(?:true|false|null)$/.test(text)) {
    try {
      return JSON.parse(text) as unknown
    } catch {
      return text
    }
  }
  return text
}

/** Returns the value of a field that is cleared: null, or undefined if the field cannot be null but can be missing. */
export function emptyValue({ name, isNullable, isRequired }: Field): null | undefined {
  if (isNullable) return null
  if (isRequired) throw new Error(`"${name}" can be neither null nor missing.`)
  return undefined
}

function parseJson(text: string, wrong: (expected: string) => Error): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw wrong('JSON')
  }
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
