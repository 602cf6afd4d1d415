import { isNumeric } from '../../json/equality.ts'
import { isRecord, type Json, ownValue, tryJson } from '../../json/json.ts'
import { parseArray } from '../../text/array-literal.ts'
import type { JsonSchema } from '../../types/json-schema.ts'
import { refuse } from './errors.ts'

/** A type of PostgreSQL, as far as JSON has its values. */
export interface ColumnType {
  /** The name in errors: `integer`. */
  name: string
  kind: 'text' | 'uuid' | 'integer' | 'number' | 'boolean' | 'time' | 'json' | 'array'
  /** The type of the elements of an array. */
  item?: ColumnType
  /** The values of an enum. */
  labels?: readonly Json[]
}

/** Reads the text of a value by the kind of its type; undefined for a text of another type. */
const readers: Readonly<Record<ColumnType['kind'], (text: string) => Json | undefined>> = {
  text: (text) => text,
  uuid: (text) => (/^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(text) ? text : undefined),
  integer: (text) => (/^\s*[+-]?\d+\s*$/.test(text) ? Number(text) : undefined),
  number: (text) => (isNumeric(text.trim()) ? Number(text) : undefined),
  boolean: (text) =>
    /^(?:t|true|y|yes|on|1|(f|false|n|no|off|0))$/i
      .exec(text.trim())
      ?.slice(1)
      .every((one) => !one),
  time: (text) => (Number.isNaN(toInstant(text)) ? undefined : text),
  json: tryJson,
  array: parseArray,
}

/** The types by the names that casts and JSON Schema give them, the first of which errors use. */
const types: Readonly<Record<string, ColumnType>> = Object.fromEntries(
  Object.entries({
    text: ['text,varchar,bpchar,char,name,citext,string'],
    uuid: ['uuid'],
    integer: ['integer,int,int4', 'bigint,int8', 'smallint,int2'],
    number: ['numeric,decimal,number', 'double precision,float8,float', 'real,float4'],
    boolean: ['boolean,bool'],
    time: [
      'date',
      'timestamp without time zone,timestamp',
      'timestamp with time zone,timestamptz,date-time',
    ],
    json: ['json', 'jsonb'],
  } satisfies Partial<Record<ColumnType['kind'], string[]>>).flatMap(([kind, lists]) =>
    lists.flatMap((list) => {
      const [name = '', ...others] = list.split(',')
      return [name, ...others].map((one) => [one, { name, kind: kind as ColumnType['kind'] }])
    }),
  ),
)

/** Returns the type that a cast names. @throws MockError 42704 */
export function typeNamed(name: string): ColumnType {
  const found = ownValue(types, name.toLowerCase())
  if (found) return found
  throw refuse(400, '42704', `type "${name}" does not exist`)
}

/** Returns the type of a column by its schema, else by one of its values; without either, any value is of the type. */
export function typeOf(schema: JsonSchema | undefined, sample?: Json): ColumnType {
  if (!isRecord(schema)) return typeOfValue(sample)
  const { format, items, title, enum: labels } = schema
  const [type = 'jsonb', other] = [schema['type'] ?? []].flat().filter((one) => one !== 'null')
  if (type === 'array') return arrayOf(typeOf(isRecord(items) ? items : {}))
  const name = other === undefined && typeof type === 'string' ? type : 'text'
  const byFormat =
    name === 'string' && typeof format === 'string' ? ownValue(types, format) : undefined
  if (typeof title === 'string' && Array.isArray(labels))
    return { name: title, kind: 'text', labels }
  return byFormat ?? ownValue(types, name) ?? typeNamed('jsonb')
}

function typeOfValue(value: Json | undefined): ColumnType {
  if (Array.isArray(value)) return arrayOf(typeOfValue(value.find((one) => one !== null)))
  if (typeof value === 'number')
    return { name: Number.isInteger(value) ? 'integer' : 'numeric', kind: 'number' }
  if (typeof value === 'boolean') return typeNamed('bool')
  if (value === undefined || value === null) return { name: 'unknown', kind: 'json' }
  if (typeof value !== 'string') return typeNamed('jsonb')
  if (readers.uuid(value)) return typeNamed('uuid')
  return typeNamed(/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(value) ? 'timestamptz' : 'text')
}

function arrayOf(item: ColumnType): ColumnType {
  return { name: `${item.name}[]`, kind: 'array', item }
}

/** Converts a value of a body to the type of its column. @throws MockError 22P02 */
export function convert(value: Json, type: ColumnType): Json {
  if (value === null || type.kind === 'json') return value
  const { item } = type
  if (!item || !Array.isArray(value)) return readText(textOf(value), type)
  return value.map((one) => convert(one, Array.isArray(one) ? type : item))
}

/** Reads the text of a value. @throws MockError 22P02 */
export function readText(text: string, type: ColumnType): Json {
  const { name, kind, item, labels } = type
  const value = readers[kind](text)
  if (labels && !labels.includes(text)) {
    throw refuse(400, '22P02', `invalid input value for enum ${name}: ${JSON.stringify(text)}`)
  }
  if (value !== undefined) return item ? convert(value, type) : value
  if (name === 'unknown') return text
  const written = JSON.stringify(text)
  if (item) throw refuse(400, '22P02', `malformed array literal: ${written}`)
  const code = kind === 'time' ? '22007' : '22P02'
  throw refuse(400, code, `invalid input syntax for type ${name}: ${written}`)
}

/** Writes a value as a cast to text does. */
export function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Returns the instant of a date or time (in UTC if it names no zone) in milliseconds since 1970; NaN for another text. */
export function toInstant(text: string): number {
  const [, date, time = '00:00', zone = 'Z'] =
    /^(\d{4,6}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i.exec(
      text.trim(),
    ) ?? []
  const offset = zone.replace(
    /^([+-]\d\d)(?::?(\d\d))?$/,
    (_, hours: string, minutes = '00') => `${hours}:${minutes}`,
  )
  return date === undefined ? NaN : Date.parse(`${date}T${time}${offset.toUpperCase()}`)
}
