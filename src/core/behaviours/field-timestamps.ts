import { type Check, checkOptions, isEither, isFalse, isOneOf, isText } from '../check.ts'
import { define, type Json, type JsonRecord } from '../json.ts'

/** How timestamps are kept. */
export interface Timestamps {
  /** The field's name; false for none. @default 'createdAt' */
  createdAt?: string | false
  /** The field's name; false for none. @default 'updatedAt' */
  updatedAt?: string | false
  /** ISO 8601 in UTC, or a number since 1970. @default 'iso' */
  as?: 'iso' | 'seconds' | 'milliseconds'
}

const isField: Check = isEither(isText, isFalse)

/** Options for timestamps. */
export const isTimestamps: Check = [
  (value) => {
    checkOptions('the options of "timestamps"', value, {
      createdAt: isField,
      updatedAt: isField,
      as: isOneOf(...Object.keys(formats)),
    })
    return true
  },
  'their options',
]

const formats: Record<NonNullable<Timestamps['as']>, (time: number) => Json> = {
  iso: (time) => new Date(time).toISOString(),
  seconds: (time) => Math.floor(time / 1000),
  milliseconds: (time) => time,
}

/** The fields that hold timestamps. */
export function stampFields(option: boolean | Timestamps | undefined): string[] {
  if (!option) return []
  const { createdAt = 'createdAt', updatedAt = 'updatedAt' } = option === true ? {} : option
  return [createdAt, updatedAt].filter((name) => name !== false)
}

/** Writes the time (milliseconds since 1970) into a record. */
export function stamp(
  option: boolean | Timestamps | undefined,
  record: JsonRecord,
  isNew: boolean,
  time: number,
): void {
  if (!option) return
  const {
    createdAt = 'createdAt',
    updatedAt = 'updatedAt',
    as = 'iso',
  } = option === true ? {} : option
  const value = formats[as](time)
  if (createdAt !== false && isNew) define(record, createdAt, value)
  if (updatedAt !== false) define(record, updatedAt, value)
}
