import { type Check, checkOptions, isEither, isFalse, isName, isOneOf } from '../../errors/check.ts'
import { define, type Json, type JsonRecord } from '../../json/json.ts'

/**
 * The option `timestamps` of `fields`: the fields that receive the times of creation and of the last write, and the
 * format of the times.
 */
export interface Timestamps {
  /** The field with the time of creation; false disables the field. @default 'createdAt' */
  createdAt?: string | false
  /** The field with the time of the last write; false disables the field. @default 'updatedAt' */
  updatedAt?: string | false
  /** ISO 8601 in UTC, or seconds or milliseconds since 1970. @default 'iso' */
  as?: 'iso' | 'seconds' | 'milliseconds'
}

const isField: Check = isEither(isName, isFalse)

/** Checks the option `timestamps`. */
export const isTimestamps: Check = [
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

const formats: Record<NonNullable<Timestamps['as']>, (time: number) => Json> = {
  iso: (time) => new Date(time).toISOString(),
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
