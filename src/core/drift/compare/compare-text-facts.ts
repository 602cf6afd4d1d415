import type { Place } from '../../shape/place.ts'
import type { Facts, TextFacts } from '../facts/facts.ts'
import { formatNamed } from '../facts/from-statistics.ts'
import { isDifferent, type Tally } from '../facts/tally.ts'
import type { Finding } from './finding.ts'

/**
 * Compares the texts of both sides at a place: their formats, such as `date`, and otherwise the values of an
 * enum.
 */
export function compareTextFacts(here: Facts, there: Facts, place: Place): Finding[] {
  if (!here.texts || !there.texts) return []
  const format = compareFormats(here.texts, there.texts, place)
  return format ? [format] : compareChoices(here.texts, there.texts, place)
}

function compareFormats(here: TextFacts, there: TextFacts, place: Place): Finding | undefined {
  const lost = here.format !== undefined && lacks(there, here, here.format)
  const gained = there.format !== undefined && lacks(here, there, there.format)
  if (!lost && !gained) return undefined
  const own = here.format
  const test = own === undefined ? undefined : formatNamed(own)
  return {
    kind: 'format',
    place,
    here: own ?? 'another format',
    there: there.format ?? 'another format',
    example: {
      side: 'there',
      place,
      matches: (value) => typeof value === 'string' && test?.(value) !== true,
    },
  }
}

/** Whether texts lack the format that all texts of the other side have. */
function lacks(texts: TextFacts, formatted: TextFacts, format: string): boolean {
  const without = texts.without(format)
  if (!without) return false
  // If each side has a format that no text of the other side has, there is evidence on both sides.
  const back = texts.format === undefined ? undefined : formatted.without(texts.format)
  if (isAlways(without) && back && isAlways(back)) return true
  return isDifferent({ times: 0, of: formatted.count }, without)
}

function isAlways({ times, of }: Tally): boolean {
  return of > 0 && times === of
}

function compareChoices(here: TextFacts, there: TextFacts, place: Place): Finding[] {
  const isDeclared = here.count === Infinity || there.count === Infinity
  const areBoth = here.choices !== undefined && there.choices !== undefined
  if (!here.choices && !there.choices) return []
  if (!isDeclared && !overlap(here.choices, there.choices)) return []
  const values = new Set([...valuesOf(here), ...valuesOf(there)])
  const differing = [...values].filter((text) => {
    const [a, b] = [here.timesOf(text), there.timesOf(text)]
    // A value that is declared and not seen is rare, unless the values seen are an enum too.
    return isDifferent(a, b) && (areBoth || hasSeen(a) || hasSeen(b))
  })
  if (differing.length === 0) return []
  const isMore = differing.filter((text) => (there.timesOf(text)?.times ?? 0) > 0)
  const isLess = differing.filter((text) => !isMore.includes(text))
  const side = isMore.length > 0 ? 'there' : 'here'
  return [
    {
      kind: 'enum',
      place,
      here: isLess.length > 0 ? quoteAll(isLess) : `no ${quoteAll(isMore)}`,
      there: isMore.length > 0 ? quoteAll(isMore) : `no ${quoteAll(isLess)}`,
      example: { side, place, matches: (value) => differing.includes(value as string) },
    },
  ]
}

function hasSeen(tally: Tally | undefined): boolean {
  return tally !== undefined && tally.of !== Infinity && tally.times > 0
}

/** Whether both are enums, and at least half of the values of the smaller enum are in the larger enum. */
function overlap(a: TextFacts['choices'], b: TextFacts['choices']): boolean {
  if (!a || !b) return false
  const shared = [...a.keys()].filter((text) => b.has(text)).length
  return shared * 2 >= Math.min(a.size, b.size)
}

function valuesOf({ choices, all = [] }: TextFacts): Iterable<string> {
  return choices?.keys() ?? all
}

function quoteAll(texts: readonly string[]): string {
  const shown = texts.slice(0, 5).map((text) => JSON.stringify(text))
  return (
    shown.join(', ') +
    (texts.length > shown.length ? ` and ${texts.length - shown.length} more` : '')
  )
}
