import { isRecord, isSame, type Json } from '../../json/json.ts'
import type { Path } from '../../json/path.ts'
import type { ListFacts } from './list-notes.ts'

/** The variables that a number in an envelope may stand for, by its usual names, with a check. */
const numbers: readonly [
  names: RegExp,
  variable: string,
  fits: (value: number, facts: ListFacts) => boolean,
][] = [
  [/^total(?:count|elements|items|records|results|rows|hits)?$/, '$total', isAtLeastCount],
  [/^odatacount$/, '$total', isAtLeastCount],
  [/^(?:total|last)pages?$|^pages$|^pagecount$|^numpages$/, '$pages', () => true],
  [/^(?:current)?page(?:number|index|no)?$|^number$/, '$page', fitsPage],
  [/^(?:per|page)(?:page|size)$|^(?:limit|size|take|pagelimit)$/, '$limit', fitsLimit],
  [/^(?:offset|skip|start)$/, '$offset', fitsOffset],
  [
    /^(?:page)?(?:count|items|length)$|^numberofelements$/,
    '$count',
    (value, { count }) => value === count,
  ],
  [/^count$/, '$total', isAtLeastCount],
]

/** The variables that a link in an envelope may stand for. */
const links: readonly [names: RegExp, variable: string][] = [
  [/^first(?:page)?(?:url|link)?$/, '$first'],
  [/^last(?:page)?(?:url|link)?$/, '$last'],
  [/^prev(?:ious)?(?:page)?(?:url|link)?$/, '$prev'],
  [/^(?:next|odatanextlink)(?:page)?(?:url|link)?$/, '$next'],
  [/^self$/, '$self'],
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
 * The template of an envelope that several lists show: the records become `$items`, numbers and links become
 * variables where the name and every value speak for one, and what all lists share stays.
 */
export function toTemplate(facts: readonly ListFacts[]): Json {
  const [first] = facts
  if (!first) return '$items'
  return build(
    facts.map((one) => [one.json, one] as const),
    first.at,
    '',
  )
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
        return [key, build(inner, key === at?.[0] ? at.slice(1) : undefined, key)]
      }),
    )
  }
  return toVariable(samples, name) ?? literal(values)
}

function toVariable(samples: readonly Sample[], name: string): string | undefined {
  const simple = name.toLowerCase().replaceAll(/[^a-z]/g, '')
  const known = samples.filter(([value]) => value !== undefined && value !== null)
  if (known.every(([value]) => typeof value === 'number') && known.length > 0) {
    const row = numbers.find(
      ([names, , fits]) =>
        names.test(simple) && known.every(([value, facts]) => fits(value as number, facts)),
    )
    if (row) return row[1]
  }
  const isLink = known.every(
    ([value]) => typeof value === 'string' && /^https?:|^\/|\?/.test(value),
  )
  return isLink ? links.find(([names]) => names.test(simple))?.[1] : undefined
}

function literal(values: readonly (Json | undefined)[]): Json {
  const present = values.filter((value) => value !== undefined)
  const [first = null, ...others] = present
  const isConstant = others.every((value) => isSame(value, first))
  return escape(isConstant ? first : (present.at(-1) ?? null))
}

/** A literal value in a template: a dollar sign is doubled. */
function escape(value: Json): Json {
  if (typeof value === 'string') return value.replaceAll('$', '$$$$')
  if (Array.isArray(value)) return value.map(escape)
  if (!isRecord(value)) return value
  const entries = Object.entries(value)
  return Object.fromEntries(entries.map(([key, inner]) => [key, escape(inner)]))
}
