import { isRecord, type Json, define, type JsonRecord } from '../json/json.ts'
import { everyAt, type Place, toAnyValue, toElement } from '../shape/place.ts'
import type { Difference } from './difference.ts'
import { formatNamed } from './facts/from-statistics.ts'

/** Changes the values of a resource so that they agree with the other side, if nothing is lost. */
export function updateValues(
  values: readonly Json[],
  differences: readonly Difference[],
  other: OtherValues,
): Updated {
  const updated: Updated = { values: [...values], done: [], left: [] }
  for (const difference of differences) {
    const after = apply(updated.values, difference, other)
    if (typeof after === 'string') updated.left.push({ difference, reason: after })
    else {
      const count = after.filter((value, at) => value !== updated.values[at]).length
      if (count === 0) {
        updated.left.push({ difference, reason: 'the fixtures have no such value' })
        continue
      }
      updated.values = after
      updated.done.push({ difference, text: `${verbOf(difference)} ${count} of ${values.length}` })
    }
  }
  return updated
}

/** The result of {@link updateValues}. */
export interface Updated {
  values: Json[]
  /** The differences that were taken over, with what was done, in words. */
  done: { difference: Difference; text: string }[]
  /** The differences that stay, with the reason. */
  left: { difference: Difference; reason: string }[]
}

/** The values of a resource on the other side. */
export interface OtherValues {
  values: readonly Json[]
  sameAs(value: Json): Json | undefined
}

function verbOf({ kind, there, here }: Difference): string {
  if (kind === 'missing there') return 'removed from'
  if (kind === 'renamed') return `renamed from ${here} to ${there} in`
  return kind === 'type' || kind === 'format' ? `converted to ${there} in` : 'set in'
}

function apply(
  values: readonly Json[],
  { kind, place = [], there, renames = [], example }: Difference,
  other: OtherValues,
): Json[] | string {
  switch (kind) {
    case 'missing there':
      return values.map((value) => changeAt(value, place, () => undefined))
    case 'missing here':
      return fill(values, place, other, example, (value) => value === undefined)
    case 'renamed':
      return renames.reduce<Json[]>(
        (list, one) => list.map((value) => rename(value, one.place, one.to)),
        [...values],
      )
    case 'optional':
      return there === 'always there' || there === 'required'
        ? fill(values, place, other, example, (value) => value === undefined)
        : 'the fixtures do not show that the field can be missing. Please remove it from a record'
    case 'null':
      return there === 'never null'
        ? fill(values, place, other, example, (value) => value === null)
        : 'the fixtures do not show null. Please set it in a record'
    case 'type':
    case 'format':
      return convert(values, place, there)
    case 'enum':
      return 'only a person knows which values take their place'
    default:
      return 'the configuration decides. Please change the dialect or the resource'
  }
}

function rename(value: Json, place: Place, to: string): Json {
  const outer = place.slice(0, -1)
  return changeAt(value, outer, (inner) => renameField(inner ?? null, place.at(-1) ?? '', to))
}

function fill(
  values: readonly Json[],
  place: Place,
  other: OtherValues,
  example: Json | undefined,
  isEmpty: (value: Json | undefined) => boolean,
): Json[] | string {
  const known = other.values.flatMap((value) => valuesAt(value, place))
  const all = known.length > 0 ? known : example === undefined ? [] : [example]
  if (all.length === 0) return 'the other side gives no example'
  return values.map((value, at) => {
    const same = other.sameAs(value)
    const [own] = same === undefined ? [] : valuesAt(same, place)
    const next = own ?? all[at % all.length]
    return changeAt(value, place, (before) => (isEmpty(before) ? next : before))
  })
}

function valuesAt(value: Json, place: Place): Json[] {
  const found: Json[] = []
  everyAt(value, place, 0, (inner) => {
    if (inner !== null && inner !== undefined) found.push(inner as Json)
    return true
  })
  return found
}

function convert(values: readonly Json[], place: Place, there: string): Json[] | string {
  const format = formatNamed(there)
  const isAlready = (value: Json): boolean =>
    format ? typeof value === 'string' && format(value) : typeOf(value, there) === there
  const to = conversionTo(there, isAlready)
  const all = values.flatMap((value) => valuesAt(value, place))
  if (all.some((value) => to(value) === undefined)) {
    return `not every value can be converted to ${there} without loss. Please edit them`
  }
  return values.map((value) =>
    changeAt(value, place, (inner) => (inner === undefined ? undefined : to(inner))),
  )
}

function typeOf(value: Json, wanted: string): string {
  if (Array.isArray(value)) return 'array'
  if (isRecord(value)) return 'object'
  return Number.isInteger(value) && wanted === 'integer' ? 'integer' : typeof value
}

/** Returns a copy in which every value at a place is changed; unchanged parts are shared. */
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

/** Returns the conversion to a type or format, which leaves values of that type unchanged. */
export function conversionTo(type: string, isAlready: (value: Json) => boolean): Convert {
  return (value) => {
    if (value === null || isAlready(value)) return value
    return conversions[type]?.(value)
  }
}

/** Converts a value without loss, such as "12" to 12; returns undefined if this is impossible. */
export type Convert = (value: Json) => Json | undefined

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
