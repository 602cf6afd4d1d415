import { isRecord, isSame, type Json, type JsonRecord, ownValue } from '../../json/json.ts'
import type { Path } from '../../json/path.ts'
import type { ParsedExchange } from '../parse-exchange.ts'
import { findList } from '../recognize/envelope.ts'
import { roleOf, numberOf } from '../recognize/parameters.ts'
import { escapeTemplate, type TextSample, toLiteral, toTextTemplate } from './text-template.ts'

/**
 * Creates the template of an envelope that several lists have, for an option of `rest`: the records become
 * `$items`; numbers and links become variables if the name and every value match a variable; other values stay
 * if all lists have them.
 */
export function toTemplate(facts: readonly ListFacts[]): Json {
  const [first] = facts
  if (!first) return '$items'
  return build(
    facts.map((list): Sample => [withNameKey(list.json, list.at, list.name), list]),
    first.at.map((key) => (key === first.name ? nameKey : key)),
    '',
  )
}

/** A variable for a value in an envelope, by the usual names of its key, with a check of the value if it is a number. */
type Row = readonly [names: RegExp, variable: string, fits?: NumberCheck]

type NumberCheck = (value: number, facts: ListFacts) => boolean

/** The variables of numbers. */
const numbers: readonly Row[] = [
  [
    /^total(?:count|elements|items|records|results|rows|hits)?$|^odatacount$/,
    '$total',
    isAtLeastCount,
  ],
  [/^lastpage$/, '$lastPage'],
  [/^totalpages?$|^pages$|^(?:page|last)count$|^numpages$/, '$pages'],
  [/^(?:current)?page(?:number|index|no)?$|^number$/, '$page', isRequested('page')],
  [/^(?:per|page)(?:page|size)$|^(?:limit|size|take|pagelimit)$/, '$limit', isRequested('limit')],
  [/^(?:offset|skip|start)$/, '$offset', isRequested('offset')],
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

/** The variables of links, which are null if there is no such page. */
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

/** The check that the request has the same number, or no such number. */
function isRequested(name: 'page' | 'limit' | 'offset'): NumberCheck {
  return (value, facts) => (facts[name] ?? value) === value
}

/** Stands for the name of the collection among the keys that lead to the records. */
const nameKey = '\0name'

/** The JSON of a list with {@link nameKey} in place of the name of its collection. */
function withNameKey(json: Json, [key, ...rest]: Path, name: string): Json {
  if (key === undefined || !isRecord(json)) return json
  const renamed = key === name ? nameKey : key
  const entries = Object.entries(json).map(([member, value]): [string, Json] =>
    member === key ? [renamed, withNameKey(value, rest, name)] : [member, value],
  )
  return Object.fromEntries(entries)
}

/** The value at one place of an envelope, undefined if the envelope lacks the place, and its list. */
type Sample = readonly [value: Json | undefined, facts: ListFacts]

/**
 * Creates the template of the values at one place; `at` leads from there to the records, `name` is the key of
 * the place.
 */
function build(samples: readonly Sample[], at: Path | undefined, name: string): Json {
  if (at?.length === 0) return '$items'
  const values = samples.map(([value]) => value)
  if (values.every(isRecord)) {
    const keys = new Set(values.flatMap(Object.keys))
    return Object.fromEntries(
      [...keys].map((key) => {
        const inner = samples.map(([value, facts]): Sample => {
          return [ownValue(value as JsonRecord, key), facts]
        })
        return [toKey(key, inner), build(inner, key === at?.[0] ? at.slice(1) : undefined, key)]
      }),
    )
  }
  return toVariable(samples, name) ?? toNamed(samples) ?? toConstant(values)
}

/**
 * Returns the key of a member: the name of the collection is a variable, and a member that may be missing has
 * `?`.
 */
function toKey(key: string, samples: readonly Sample[]): string {
  if (key === nameKey) return '$resource'
  const escaped = escapeTemplate(key)
  return samples.some(([value]) => value === undefined) ? `${escaped}?` : escaped
}

/** Returns the variable that fits all values except null; undefined if no variable does. */
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

/** Whether a member is missing in some lists because their requests did not ask for the number of records. */
function isOnRequest(samples: readonly Sample[]): boolean {
  const isMissing = samples.some(([value]) => value === undefined)
  return (
    isMissing &&
    samples.every(([value, { query }]) => {
      const asked = query.find(([name, text]) => roleOf(name, text) === 'count')
      return (asked !== undefined && asked[1] !== 'false') === (value !== undefined)
    })
  )
}

/**
 * Creates the template of texts that all contain the name of the collection or are the same; undefined for
 * other values.
 */
function toNamed(samples: readonly Sample[]): string | undefined {
  const texts = samples.flatMap(([value, { name }]): TextSample[] =>
    typeof value === 'string' ? [[value, [['$resource', name]]]] : [],
  )
  return texts.length === 0 || texts.length < samples.length ? undefined : toTextTemplate(texts)
}

/** Returns the value that all lists have, otherwise the latest value. */
function toConstant(values: readonly (Json | undefined)[]): Json {
  const present = values.filter((value) => value !== undefined)
  const [first = null, ...others] = present
  const isConstant = others.every((value) => isSame(value, first))
  return toLiteral(isConstant ? first : (present.at(-1) ?? null))
}

/** Finds the lists in responses, and collects the facts about each list from which its envelope is learned. */
export function toListFacts(exchanges: readonly ParsedExchange[]): ListFacts[] {
  return exchanges.flatMap(({ json, segments, query }): ListFacts[] => {
    const found = findList(json, segments.at(-1))
    if (!found || json === undefined) return []
    return [
      {
        name: segments.at(-1) ?? '',
        json,
        at: found.at,
        count: found.items.length,
        query,
        page: numberOf(query, 'page'),
        limit: numberOf(query, 'limit'),
        offset: numberOf(query, 'start'),
      },
    ]
  })
}

/** A list in a response, with the counts that members of its envelope can contain. */
export interface ListFacts {
  /** The last segment of the path: the name of the collection. */
  name: string
  json: Json
  /** The keys that lead to the records. */
  at: Path
  /** The number of records in the response. */
  count: number
  query: ParsedExchange['query']
  page: number | undefined
  limit: number | undefined
  offset: number | undefined
}

/**
 * Returns the keys that lead to the records in a response, joined with dots; `$resource` replaces the name of
 * the collection.
 */
export function pathOf({ at, name }: ListFacts): string {
  return at.map((key) => (key === name ? '$resource' : key)).join('.')
}

/**
 * Returns the most frequent text and how often it occurs; of equally frequent texts, the alphabetically first.
 */
export function mostFrequent(texts: readonly string[]): [text: string, count: number] | undefined {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))[0]
}
