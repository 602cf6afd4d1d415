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
  difference: Difference,
  other: OtherValues,
): Json[] | string {
  const { kind, place = [], renames = [] } = difference
  if (kind === 'missing there') {
    return values.map((value) => changeAt(value, place, () => undefined))
  }
  if (kind === 'renamed') {
    return renames.reduce<Json[]>(
      (list, one) => list.map((value) => rename(value, one.place, one.to)),
      [...values],
    )
  }
  const traits = traitsOf(difference)
  return traits
    ? align(values, difference, traits, other)
    : 'the configuration decides. Please change the dialect or the resource'
}

/** The property of values that a difference is about: their types, or whether they are null. */
interface Traits {
  /** Returns the trait of a value; undefined for a value that the difference is not about. A missing value is undefined. */
  of(value: Json | undefined): string | undefined
  /** The traits that values have on the other side. */
  there: readonly string[]
  /** Whether the other side can have the value. */
  fits(value: Json | undefined): boolean
}

function traitsOf({ kind, here, there, choices }: Difference): Traits | undefined {
  const isNull = (value: Json | undefined): string | undefined =>
    value === undefined ? undefined : String(value === null)
  const isThere = (value: Json | undefined): string => String(value !== undefined)
  switch (kind) {
    case 'missing here':
      return { of: isThere, there: ['true'], fits: (value) => value !== undefined }
    case 'optional': {
      const isAlways = there === 'always there' || there === 'required'
      const fits = (value: Json | undefined): boolean => !isAlways || value !== undefined
      return { of: isThere, there: isAlways ? ['true'] : ['true', 'false'], fits }
    }
    case 'null': {
      const isNever = there === 'never null'
      const fits = (value: Json | undefined): boolean => !isNever || value !== null
      return { of: isNull, there: isNever ? ['false'] : ['true', 'false'], fits }
    }
    case 'type': {
      const kinds = there.split(' or ')
      const of = (value: Json | undefined): string | undefined =>
        value === null || value === undefined ? undefined : typeOf(value)
      const fits = (value: Json | undefined): boolean => {
        const type = of(value) ?? ''
        return kinds.includes(type) || (type === 'integer' && kinds.includes('number'))
      }
      return { of, there: kinds, fits }
    }
    case 'format': {
      const [own, other] = [formatNamed(here), formatNamed(there)]
      const of = (value: Json | undefined): string | undefined => {
        if (typeof value !== 'string') return undefined
        return other?.(value) === true ? there : own?.(value) === true ? here : 'another format'
      }
      return { of, there: [there], fits: (value) => of(value) === there }
    }
    case 'enum': {
      const { gone = [], added = [] } = choices ?? {}
      const of = (value: Json | undefined): string | undefined =>
        typeof value === 'string' && [...gone, ...added].includes(value) ? value : undefined
      return {
        of,
        there: added,
        fits: (value) => typeof value === 'string' && !gone.includes(value),
      }
    }
    default:
      return undefined
  }
}

/** Replaces the values that the other side cannot have, and shows each trait of the other side at least once. */
function align(
  values: readonly Json[],
  { place = [], example }: Difference,
  traits: Traits,
  other: OtherValues,
): Json[] | string {
  const { of, fits } = traits
  const examples = example === undefined ? [] : [example]
  const known = [...other.values.flatMap((value) => valuesAt(value, place)), ...examples]
  const fitting = known.filter(fits)
  let isLeft = false
  const fitted = values.map((value, at) => {
    const same = other.sameAs(value)
    const [own] = same === undefined ? [] : valuesAt(same, place)
    return changeAt(value, place, (before) => {
      if (of(before) === undefined || fits(before)) return before
      const converted =
        before === undefined
          ? undefined
          : traits.there.map((trait) => conversions[trait]?.(before)).find(fits)
      const next =
        converted ?? (own !== undefined && fits(own) ? own : fitting[at % fitting.length])
      isLeft ||= next === undefined
      return next ?? before
    })
  })
  if (isLeft) return 'the other side gives no example'
  return traits.there.reduce<Json[]>(
    (list, trait) => show(list, place, trait, traits, other, known),
    fitted,
  )
}

/** Takes a trait over from the same records of the other side; if there are none, into the first record with the place. */
function show(
  values: Json[],
  place: Place,
  trait: string,
  { of }: Traits,
  other: OtherValues,
  known: readonly Json[],
): Json[] {
  const has = (value: Json): boolean => {
    let isFound = false
    changeAt(value, place, (inner) => {
      isFound ||= of(inner) === trait
      return inner
    })
    return isFound
  }
  if (values.some(has)) return values
  const isSample = (value: Json | undefined): boolean => of(value) === trait
  const sample = [undefined, null, trait, ...known].find(isSample)
  if (!isSample(sample)) return values
  let count = 0
  const put = (value: Json, next: Json | undefined): Json => {
    let isPut = false
    return changeAt(value, place, (before) => {
      if (isPut) return before
      isPut = true
      count++
      return next
    })
  }
  const taken = values.map((value) => {
    const same = other.sameAs(value)
    if (same === undefined || !has(same)) return value
    return put(value, valuesAt(same, place).find(isSample) ?? sample)
  })
  return count > 0 ? taken : values.map((value) => (count > 0 ? value : put(value, sample)))
}

function rename(value: Json, place: Place, to: string): Json {
  const outer = place.slice(0, -1)
  return changeAt(value, outer, (inner) => renameField(inner ?? null, place.at(-1) ?? '', to))
}

function valuesAt(value: Json, place: Place): Json[] {
  const found: Json[] = []
  everyAt(value, place, 0, (inner) => {
    if (inner !== null && inner !== undefined) found.push(inner as Json)
    return true
  })
  return found
}

function typeOf(value: Json): string {
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
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

/** Converts a value without loss, such as "12" to 12; returns undefined if this is impossible. */
type Convert = (value: Json) => Json | undefined

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
