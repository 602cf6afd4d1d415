import {
  type Check,
  checkOptions,
  isEither,
  isFalse,
  isFlag,
  isListOf,
  isMapOf,
  isName,
  isObject,
  isOneOf,
} from '../../errors/check.ts'
import type { MockContext } from '../../http/contract/behaviour.ts'
import type { Clock } from '../../time/clock.ts'
import { define, type Json, type JsonRecord } from '../../json/json.ts'

/** The required, read-only and unique fields of a resource, its defaults and its timestamps. */
export interface FieldOptions {
  /** Fields that must be present and not null. An update is refused only if it takes the field away. */
  required?: readonly string[]
  /**
   * Whether an empty text fulfils `required`, as in JSON Schema, or is refused, as in an HTML form.
   * @default 'allow'
   */
  onEmpty?: 'allow' | 'refuse'
  /** Fields in which an empty text is stored as null. */
  emptyAsNull?: readonly string[]
  /**
   * Values for fields that a POST or a PUT leaves out. Functions run after `required` is checked; a function that
   * returns undefined leaves the field out.
   */
  defaults?: Readonly<Record<string, Json | DefaultFunction>>
  /** Fields that requests cannot set. */
  readOnly?: readonly string[]
  /** Whether the mock ignores a read-only field in a request or responds with 422. @default 'ignore' */
  onReadOnly?: 'ignore' | 'refuse'
  /** Fields, or groups of fields, whose values no two records share. Missing fields and null are not compared. */
  unique?: readonly (string | readonly string[])[]
  /** Lists whose values the mock stores in order: numbers before texts. */
  sorted?: readonly string[]
  /** Whether records get `createdAt` and `updatedAt`. @default false */
  timestamps?: boolean | Timestamps
  /** The field that counts the writes of a record, from 1. */
  version?: string
  /**
   * Fields that number the new records that lack them, with the last number given: `{ number: 'R-0012', id: 30 }`. The
   * next number is one more than the greatest of this form, and no number is given twice.
   */
  counters?: Readonly<Record<string, string | number>>
}

/** Returns the value of a field that a record lacks; constant defaults are in the record already. */
export type DefaultFunction = (record: JsonRecord, context: DefaultContext) => Json | undefined

/** The second argument of a default function: the data, the user whom `auth` has identified, and the clock. */
export interface DefaultContext {
  /** The data, without the hooks of behaviours. */
  db: MockContext['db']
  user: JsonRecord | undefined
  clock: Clock
}

/** The fields that receive the times of creation and of the last write, and the format of the times. */
export interface Timestamps {
  /** The field with the time of creation; false disables the field. @default 'createdAt' */
  createdAt?: string | false
  /** The field with the time of the last write; false disables the field. @default 'updatedAt' */
  updatedAt?: string | false
  /** ISO 8601 in UTC, also without milliseconds or as the day alone; seconds or milliseconds since 1970. @default 'iso' */
  as?: 'iso' | 'iso-seconds' | 'date' | 'seconds' | 'milliseconds'
}

const isField: Check = isEither(isName, isFalse)

const isTimestamps: Check = [
  (value) => {
    checkOptions('the options of "timestamps"', value, {
      createdAt: isField,
      updatedAt: isField,
      as: isOneOf(...Object.keys(formats)),
    })
    return true
  },
  'options of timestamps',
]

const isNames = isListOf(isName)

/** The checks of {@link FieldOptions}. */
export const fieldChecks: Readonly<Record<keyof FieldOptions, Check>> = {
  required: isNames,
  onEmpty: isOneOf('allow', 'refuse'),
  emptyAsNull: isNames,
  defaults: isObject,
  readOnly: isNames,
  onReadOnly: isOneOf('ignore', 'refuse'),
  unique: isListOf(isEither(isName, isNames)),
  sorted: isNames,
  timestamps: isEither(isFlag, isTimestamps),
  version: isName,
  counters: isMapOf([
    (value) => Number.isSafeInteger(value) || (typeof value === 'string' && /\d/.test(value)),
    'the last number, such as 30 or "R-0012"',
  ]),
}

const formats: Record<NonNullable<Timestamps['as']>, (time: number) => Json> = {
  iso: (time) => new Date(time).toISOString(),
  'iso-seconds': (time) => new Date(time).toISOString().replace(/\.\d+/, ''),
  date: (time) => new Date(time).toISOString().slice(0, 10),
  seconds: (time) => Math.floor(time / 1000),
  milliseconds: (time) => time,
}

/** Fills in the defaults of the option `timestamps`. */
export function toTimestamps(option: boolean | Timestamps = false): Required<Timestamps> {
  if (option === false) return { createdAt: false, updatedAt: false, as: 'iso' }
  const given = option === true ? {} : option
  const { createdAt = 'createdAt', updatedAt = 'updatedAt', as = 'iso' } = given
  return { createdAt, updatedAt, as }
}

/** Returns a time, in milliseconds since 1970, in the form of the option `timestamps`. */
export function formatTime(as: Required<Timestamps>['as'], time: number): Json {
  return formats[as](time)
}

/** Sets the timestamps of a record; `time` is in milliseconds since 1970. */
export function stamp(
  { createdAt, updatedAt, as }: Required<Timestamps>,
  record: JsonRecord,
  isNew: boolean,
  time: number,
): void {
  const value = formats[as](time)
  if (createdAt !== false && isNew) define(record, createdAt, value)
  if (updatedAt !== false) define(record, updatedAt, value)
}
