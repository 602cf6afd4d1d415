import { formats } from '../../formats/formats.ts'
import { ownValue } from '../../json/json.ts'
import { isEnum, strongEnumEvidence } from '../../shape/describe/is-enum.ts'
import { inferredFormats } from '../../shape/formats.ts'
import { type Place, toAnyValue, toElement } from '../../shape/place.ts'
import type {
  FieldStatistics,
  ObjectStatistics,
  Statistics,
  StringStatistics,
} from '../../shape/statistics.ts'
import type { Facts, FieldFacts, Kind, TextFacts, Tally } from './facts.ts'

/** Converts the statistics of records to the facts that are compared: those for which the records give evidence. */
export function fromStatistics(
  statistics: Statistics,
  options: StatisticsOptions = {},
  place: Place = [],
): Facts {
  const { count, nulls, booleans, numbers, strings, arrays, objects } = statistics
  const { isReference, whole } = options
  const total = count - nulls
  const counts: [Kind, number | undefined][] = [
    ['boolean', booleans && booleans.true + booleans.false],
    ['number', numbers?.count],
    ['string', strings?.count],
    ['array', arrays?.count],
    ['object', objects?.count],
  ]
  const kinds = counts.flatMap(([kind, count = 0]): [Kind, Tally][] =>
    count > 0 ? [[kind, { count, total }]] : [],
  )
  const inside = (step: string, inner: Statistics, same: Statistics | undefined) => (): Facts =>
    fromStatistics(inner, { ...options, whole: same }, [...place, step])
  const isEmpty = (arrays?.items.count ?? 0) === 0
  return {
    nulls: { count: nulls, total: count },
    kinds: new Map(kinds),
    fractions: numbers && { count: numbers.count - numbers.integers, total: numbers.count },
    ...(strings && { texts: toTexts(strings, isReference?.(place) ?? false) }),
    ...(objects?.fields && { fields: toFields(objects, whole?.objects, inside) }),
    ...(objects?.values && {
      values: inside(toAnyValue, objects.values, whole?.objects?.values),
    }),
    ...(arrays && !isEmpty && { items: inside(toElement, arrays.items, whole?.arrays?.items) }),
  }
}

/** The options of {@link fromStatistics}. */
export interface StatisticsOptions {
  /** Whether the values at a place are ids of other records, which are no enum. */
  isReference?(place: Place): boolean
  /** Decides how often fields are present, if the others include lists that leave out fields. */
  whole?: Statistics | undefined
}

/** Returns the check of a format by its name in statistics or in JSON Schema; undefined for an unknown format. */
export function formatNamed(name: string): ((text: string) => boolean) | undefined {
  return ownValue(formats, name) ?? inferredFormats.find((format) => format.name === name)?.test
}

function toTexts(strings: StringStatistics, isReference: boolean): TextFacts {
  const { count, format, values } = strings
  const { frequencies, isSample, distinct } = values
  const evidence = inferredFormats.find(({ name }) => name === format)?.evidence ?? Infinity
  const timesByText = new Map(frequencies)
  return {
    count,
    ...(distinct >= evidence && { format }),
    without(name) {
      const test = formatNamed(name)
      if (!test) return undefined
      let [without, total] = [0, 0]
      for (const [text, times] of frequencies) {
        total += times
        if (!test(text)) without += times
      }
      return { count: without, total }
    },
    ...(!isReference && isEnum(strings, strongEnumEvidence) && { choices: toChoices(strings) }),
    tallyOf(text) {
      const times = timesByText.get(text)
      return times === undefined && isSample ? undefined : { count: times ?? 0, total: count }
    },
    ...(!isSample && { all: frequencies.map(([text]) => text) }),
  }
}

function toChoices({ count: total, values }: StringStatistics): ReadonlyMap<string, Tally> {
  return new Map(values.frequencies.map(([text, count]) => [text, { count, total }]))
}

function toFields(
  { count, fields = {} }: ObjectStatistics,
  whole: ObjectStatistics | undefined,
  inside: (step: string, inner: Statistics, same: Statistics | undefined) => () => Facts,
): ReadonlyMap<string, FieldFacts> {
  const known = whole?.fields ?? {}
  return new Map(
    Object.entries(fields).map(([name, field]) => {
      const same = ownValue<FieldStatistics>(known, name)
      const total = same && whole ? whole.count : count
      const present = (same ?? field).present
      return [
        name,
        {
          present: { count: present, total },
          absent: { count: total - present, total },
          facts: inside(name, field, same),
        },
      ]
    }),
  )
}
