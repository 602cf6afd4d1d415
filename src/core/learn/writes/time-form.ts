import type { Json } from '../../json/json.ts'

/** The forms of times, as the option `timestamps` has them: of a value, or undefined if it is another text. */
const forms: readonly (readonly [form: TimeForm, pattern: RegExp])[] = [
  ['iso', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/],
  ['iso-seconds', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/],
  ['date', /^\d{4}-\d\d-\d\d$/],
]

/** Whether a value is a time near another, in milliseconds. */
export function isTimeNear(value: Json, time: number): boolean {
  return timeFormOf(value, time) !== undefined
}

/** A form of times. */
export type TimeForm = 'iso' | 'iso-seconds' | 'date' | 'seconds' | 'milliseconds'

/** Returns the form of a value that is the time of a request, in milliseconds, give or take a minute. */
export function timeFormOf(value: Json, time: number): TimeForm | undefined {
  const isNear = (other: number): boolean => Math.abs(other - time) < 60_000
  if (typeof value === 'number') {
    // Times before 1973 are numbers of another kind.
    if (value < 1e8) return undefined
    return isNear(value) ? 'milliseconds' : isNear(value * 1000) ? 'seconds' : undefined
  }
  if (typeof value !== 'string') return undefined
  const form = forms.find(([, pattern]) => pattern.test(value))?.[0]
  if (form === 'date') return value === new Date(time).toISOString().slice(0, 10) ? form : undefined
  return form && isNear(Date.parse(value)) ? form : undefined
}
