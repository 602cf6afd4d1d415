import { isRecord, isSame, type Json } from '../../json/json.ts'
import type { Path } from '../../json/path.ts'
import { roleOf } from '../recognize/parameters.ts'
import type { ListFacts } from './list-facts.ts'
import { escapeTemplate, type TextSample, toTextTemplate } from './text-template.ts'

/** A variable for a number in an envelope, by the usual names of its key, with a check of the number. */
type Row = readonly [
  names: RegExp,
  variable: string,
  fits?: (value: number, facts: ListFacts) => boolean,
]

/** The variables of numbers. */
const numbers: readonly Row[] = [
  [
    /^total(?:count|elements|items|records|results|rows|hits)?$|^odatacount$/,
    '$total',
    isAtLeastCount,
  ],
  [/^lastpage$/, '$lastPage'],
  [/^totalpages?$|^pages$|^(?:page|last)count$|^numpages$/, '$pages'],
  [/^(?:current)?page(?:number|index|no)?$|^number$/, '$page', fitsPage],
  [/^(?:per|page)(?:page|size)$|^(?:limit|size|take|pagelimit)$/, '$limit', fitsLimit],
  [/^(?:offset|skip|start)$/, '$offset', fitsOffset],
  [/^from$/, '$from'],
  [/^to$/, '$to'],
  [/^next(?:page)?$/, '$nextPage'],
  [/^prev(?:ious)?(?:page)?$/, '$prevPage'],
  [
    /^(?:page)?(?:count|items|length)$|^numberofelements$/,
    '$count',
    (value, { count }) => value === count,
  ],
  [/^count$/, '$total', isAtLeastCount],
]

/** The variables of links, which are null where there is no such page. */
const links: readonly Row[] = [
  [/^first(?:page)?(?:url|link)?$/, '$first'],
  [/^last(?:page)?(?:url|link)?$/, '$last'],
  [/^prev(?:ious)?(?:page)?(?:url|link)?$/, '$prev'],
  [/^(?:next|odatanextlink)(?:page)?(?:url|link)?$/, '$next'],
  [/^self$/, '$self'],
  [/^path$/, '$path'],
]

/** The variables of flags. */
const flags: readonly Row[] = [
  [/^has(?:next|more)(?:page)?$/, '$hasNext'],
  [/^hasprev(?:ious)?(?:page)?$/, '$hasPrev'],
]

function isAtLeastCount(value: number, { count }: ListFacts): boolean {
  return value >= count
}

function fitsPage(value: number, { page }: ListFacts): boolean {
  return page === undefined || page === value
}

function fitsOffset(value: number, { offset }: ListFacts): boolean {
  return offset === undefined || offset === value
}

function fitsLimit(value: number, { limit }: ListFacts): boolean {
  return limit === undefined || limit === value
}

/**
 * The template of an envelope that several lists have: the records become `$items`; numbers and links become variables
 * if the name and every value match a variable; other values stay if all lists have them.
 */
export function toTemplate(facts: readonly ListFacts[]): Json {
  const [first] = facts
  if (!first) return '$items'
  return build(
    facts.map((one) => [withNameKey(one.json, one.at, one.name), one] as const),
    first.at.map((key) => (key === first.name ? nameKey : key)),
    '',
  )
}

/** Stands for the name of the collection among the keys that lead to the records. */
const nameKey = '\0name'

/** The JSON of a list with {@link nameKey} in place of the name of its collection. */
function withNameKey(json: Json, [key, ...rest]: Path, name: string): Json {
  if (key === undefined || !isRecord(json)) return json
  const entries = Object.entries(json).map(([one, value]) =>
    one === key ? [key === name ? nameKey : key, withNameKey(value, rest, name)] : [one, value],
  )
  return Object.fromEntries(entries) as Json
}

type Sample = readonly [value: Json | undefined, facts: ListFacts]

function build(samples: readonly Sample[], at: Path | undefined, name: string): Json {
  if (at?.length === 0) return '$items'
  const values = samples.map(([value]) => value)
  if (values.every(isRecord)) {
    const keys = new Set(values.flatMap((value) => Object.keys(value)))
    return Object.fromEntries(
      [...keys].map((key) => {
        const inner = samples.map(([value, facts]): Sample => {
          const record = value as Record<string, Json>
          return [Object.hasOwn(record, key) ? record[key] : undefined, facts]
        })
        return [toKey(key, inner), build(inner, key === at?.[0] ? at.slice(1) : undefined, key)]
      }),
    )
  }
  return toVariable(samples, name) ?? toNamed(samples) ?? literal(values)
}

/** The key of a member: the name of the collection is a variable, and a member that may be missing has `?`. */
function toKey(key: string, samples: readonly Sample[]): string {
  if (key === nameKey) return '$resource'
  const escaped = escapeTemplate(key)
  return samples.some(([value]) => value === undefined) ? `${escaped}?` : escaped
}

function toVariable(samples: readonly Sample[], name: string): string | undefined {
  const simple = name.toLowerCase().replaceAll(/[^a-z]/g, '')
  const known = samples.filter(([value]) => value !== undefined && value !== null)
  const is = (type: string): boolean => known.every(([value]) => typeof value === type)
  const find = (rows: readonly Row[]): string | undefined =>
    rows.find(
      ([names, , fits]) =>
        names.test(simple) &&
        known.every(([value, facts]) => fits?.(value as number, facts) !== false),
    )?.[1]
  if (known.length === 0) return find(links)
  if (is('number')) {
    const variable = find(numbers)
    return variable === '$total' && isOnRequest(samples) ? '$counted' : variable
  }
  if (is('boolean')) return find(flags)
  const isLink = known.every(
    ([value]) => typeof value === 'string' && /^https?:|^\/|\?/.test(value),
  )
  if (isLink) return find(links)
  const isCursor = is('string') && /^next(?:page)?(?:cursor|token)$/.test(simple)
  return isCursor ? '$nextCursor' : undefined
}

/** Whether a member is missing in some lists, namely where the request did not ask for the number of records. */
function isOnRequest(samples: readonly Sample[]): boolean {
  const isMissing = samples.some(([value]) => value === undefined)
  return (
    isMissing &&
    samples.every(([value, { query }]) => {
      const asked = query.find(([name, text]) => roleOf(name, text, () => false) === 'count')
      return (asked !== undefined && asked[1] !== 'false') === (value !== undefined)
    })
  )
}

/** The template of texts that name the collection; undefined for any others. */
function toNamed(samples: readonly Sample[]): string | undefined {
  const texts = samples.flatMap(([value, { name }]): TextSample[] =>
    typeof value === 'string' ? [[value, [['$resource', name]]]] : [],
  )
  return texts.length === 0 || texts.length < samples.length ? undefined : toTextTemplate(texts)
}

function literal(values: readonly (Json | undefined)[]): Json {
  const present = values.filter((value) => value !== undefined)
  const [first = null, ...others] = present
  const isConstant = others.every((value) => isSame(value, first))
  return escape(isConstant ? first : (present.at(-1) ?? null))
}

/** A literal value in a template: a dollar sign is doubled. */
function escape(value: Json): Json {
  if (typeof value === 'string') return escapeTemplate(value)
  if (Array.isArray(value)) return value.map(escape)
  if (!isRecord(value)) return value
  const entries = Object.entries(value)
  return Object.fromEntries(entries.map(([key, inner]) => [key, escape(inner)]))
}
