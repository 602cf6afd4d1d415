import type { Json } from '../json/json.ts'
import type { Statistics } from '../shape/statistics.ts'
import { textOf } from './draw.ts'

/** The times at a place: from the earliest to the latest, and how they are written. */
export interface TimeRange {
  /** Milliseconds since 1970. */
  min: number
  max: number
  /** Returns a value in milliseconds; undefined for another value. */
  toTime(value: Json): number | undefined
  fromTime(time: number, like: Json): Json
}

/** Returns the times at a place; undefined if its values are no times. */
export function timeRange({ strings, numbers }: Statistics, name: string): TimeRange | undefined {
  if (strings?.format === 'date-time' || strings?.format === 'date') {
    return toRange(strings.min, strings.max)
  }
  const isNamed = /(?:At|On|_at|_on|time|date|timestamp|created|updated|expires)$/i.test(name)
  if (!numbers || !isNamed || numbers.min < 1e8) return undefined
  const unit = numbers.min > 1e11 ? 1 : 1000
  return {
    min: numbers.min * unit,
    max: numbers.max * unit,
    toTime: (value) => (typeof value === 'number' ? value * unit : undefined),
    fromTime: (time) => Math.round(time / unit),
  }
}

function toRange(first: string | undefined, last: string | undefined): TimeRange | undefined {
  const toTime = (value: Json): number | undefined => {
    const time = typeof value === 'string' ? Date.parse(value) : Number.NaN
    return Number.isNaN(time) ? undefined : time
  }
  // Texts of several time zones have no first and last text.
  const [min, max] = [toTime(first ?? null), toTime(last ?? null)]
  const fallback = { min: Date.UTC(2024, 0, 1), max: Date.UTC(2026, 0, 1) }
  return { min: min ?? fallback.min, max: max ?? fallback.max, toTime, fromTime }
}

/** Writes a time in the form of another: a date, or a time with the same zone and digits. */
function fromTime(time: number, like: Json): Json {
  const text = textOf(like)
  if (text.length === 10) return new Date(time).toISOString().slice(0, 10)
  const [, seconds = '', fraction = '', zone = 'Z'] =
    /T\d\d:\d\d(:\d\d)?(\.\d+)?(Z|[+-]\d\d:?\d\d)$/i.exec(text) ?? []
  const [, sign = '+', hours = '0', minutes = '0'] = /([+-])(\d\d):?(\d\d)/.exec(zone) ?? []
  const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
  const [date = '', clock = ''] = new Date(time + offset).toISOString().split('T')
  const usual = text.slice(11, 16).endsWith(':00') && /^:00$/.test(seconds || ':00')
  const shown = usual ? `${clock.slice(0, 3)}00:00` : clock.slice(0, 8)
  const end = seconds === '' ? shown.slice(0, 5) : shown
  const digits =
    fraction === '' ? '' : clock.slice(8, 12).padEnd(fraction.length, '0').slice(0, fraction.length)
  return `${date}T${end}${digits}${zone}`
}

/** Shifts the time of an example. */
export function shiftTime(near: Json, shift: number, range: TimeRange): Json {
  const time = range.toTime(near)
  return time === undefined ? near : range.fromTime(Math.floor(time + shift), near)
}
