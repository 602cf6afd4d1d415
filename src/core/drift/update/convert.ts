import type { Json } from '../../json/json.ts'

/**
 * Returns the conversion of fixture values to the type or format that the other side has. The conversion leaves
 * values of that type unchanged.
 */
export function conversionTo(type: string, isAlready: (value: Json) => boolean): Convert {
  return (value) => {
    if (value === null || isAlready(value)) return value
    return conversions[type]?.(value)
  }
}

/** Converts a value without loss, such as "12" to 12; returns undefined if this is impossible. */
export type Convert = (value: Json) => Json | undefined

/** The conversions by the type or format that a difference names. */
const conversions: Readonly<Record<string, Convert>> = {
  string: (value) =>
    typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined,
  integer: (value) => toNumber(value, Number.isSafeInteger),
  number: (value) => toNumber(value, Number.isFinite),
  boolean: (value) => (value === 'true' ? true : value === 'false' ? false : undefined),
  array: (value) => (Array.isArray(value) ? undefined : [value]),
  'date-time': (value) =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? `${value}T00:00:00Z` : undefined,
  date: (value) =>
    typeof value === 'string' && /T00:00:00(?:\.0+)?Z$/.test(value)
      ? value.slice(0, 10)
      : undefined,
}

function toNumber(value: Json, isFit: (number: number) => boolean): number | undefined {
  const number = typeof value === 'string' ? Number(value) : NaN
  return isFit(number) && String(number) === value ? number : undefined
}
