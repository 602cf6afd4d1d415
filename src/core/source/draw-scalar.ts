import { formats } from '../formats/formats.ts'
import type { JsonRecord } from '../json/json.ts'
import { scalarText } from '../json/scalar-text.ts'
import { type Random, randomText, randomUuid } from '../time/random.ts'
import { drawByName } from '../generate/by-name.ts'
import { drawPattern } from '../generate/pattern-text.ts'
import { type WordList, wordLists } from '../generate/words.ts'

/** Draws a number within the limits of a schema. */
export function drawNumber(
  limits: JsonRecord,
  name: string,
  random: Random,
  isInteger: boolean,
): number {
  const step = Number(limits['multipleOf'] ?? (isInteger ? 1 : 0.01))
  const unit = isInteger && !Number.isInteger(step) ? step * 100 : step
  const usual = usualRange(name, limits)
  const lowest = Math.max(
    Number(limits['minimum'] ?? -Infinity),
    Number(limits['exclusiveMinimum'] ?? -Infinity),
  )
  const highest = Math.min(
    Number(limits['maximum'] ?? Infinity),
    Number(limits['exclusiveMaximum'] ?? Infinity),
  )
  const width = usual[1] - usual[0]
  const low =
    lowest === -Infinity ? Math.min(usual[0], highest - Math.min(width, Math.abs(highest))) : lowest
  const high = Math.min(highest, Math.max(usual[1], low + width))
  const first = Math.ceil(low / unit)
  const last = Math.floor(high / unit)
  const isLowOpen = limits['exclusiveMinimum'] !== undefined && first * unit <= lowest
  const isHighOpen = limits['exclusiveMaximum'] !== undefined && last * unit >= highest
  const from = isLowOpen ? first + 1 : first
  const to = isHighOpen ? last - 1 : last
  if (to < from) return isInteger ? Math.ceil(low) : (low + high) / 2
  const value = (from + Math.floor(random() * (to - from + 1))) * unit
  return Number(value.toFixed(unit < 1 ? 10 : 0))
}

function usualRange(name: string, { format }: JsonRecord): [number, number] {
  if (format === 'unix-time' || /(?:_at|At|timestamp|created|updated)$/.test(name)) {
    return [1_700_000_000, 1_730_000_000]
  }
  if (/lat(?:itude)?$/i.test(name)) return [-60, 60]
  if (/(?:lng|lon|longitude)$/i.test(name)) return [-180, 180]
  if (/year$/i.test(name)) return [1990, 2025]
  if (/percent|rating|age$/i.test(name)) return [1, 100]
  return [1, 1000]
}

/** Draws a text of the format, the pattern and the lengths of a schema. */
export function drawText(limits: JsonRecord, name: string, random: Random): string {
  const { format, pattern, minLength = 0, maxLength = Infinity } = limits
  const least = Number(minLength)
  const most = Number(maxLength)
  const isRight = (text: string): boolean => {
    const { length } = Array.from(text)
    if (length < least || length > most) return false
    if (typeof pattern === 'string' && !new RegExp(pattern, 'u').test(text)) return false
    return typeof format !== 'string' || (formats[format]?.(text) ?? true)
  }
  const candidates = [
    () => byFormat(scalarText(format), random),
    () => (format === undefined && pattern === undefined ? byName(name, random) : undefined),
    () => (typeof pattern === 'string' ? drawPattern(random, pattern) : undefined),
    () => words(random, 2),
    () => fit(words(random, Math.min(40, Math.ceil(least / 4) + 1)), least, most, random),
  ]
  for (const candidate of candidates) {
    for (let tries = 0; tries < 3; tries++) {
      const text = candidate()
      if (text === undefined) break
      if (isRight(text)) return text
    }
  }
  return fit(
    typeof pattern === 'string' ? drawPattern(random, pattern) : 'text',
    least,
    most,
    random,
  )
}

function fit(text: string, least: number, most: number, random: Random): string {
  const missing = Math.min(least, 100_000) - text.length
  const longer = missing > 0 ? text + randomText(random, missing).slice(0, missing) : text
  return longer
    .slice(0, Math.min(most, longer.length))
    .trim()
    .padEnd(least > 100_000 ? 0 : least, 'x')
}

const lexicon =
  'amber birch cedar delta ember fjord grove harbor island juniper kestrel lagoon meadow nectar orchid prairie quartz river summit tundra umber valley willow zephyr'.split(
    ' ',
  )

function word(random: Random): string {
  return lexicon[Math.floor(random() * lexicon.length)] ?? 'amber'
}

function words(random: Random, count: number): string {
  return Array.from({ length: count }, () => word(random)).join(' ')
}

function digits(random: Random, below: number, width = 2): string {
  return String(Math.floor(random() * below)).padStart(width, '0')
}

function date(random: Random): string {
  return `2024-${digits(random, 12).replace('00', '12')}-${String(1 + Math.floor(random() * 28)).padStart(2, '0')}`
}

function byFormat(format: string, random: Random): string | undefined {
  const one = word(random)
  const table: Record<string, () => string> = {
    'date-time': () =>
      `${date(random)}T${digits(random, 24)}:${digits(random, 60)}:${digits(random, 60)}Z`,
    date: () => date(random),
    time: () => `${digits(random, 24)}:${digits(random, 60)}:${digits(random, 60)}Z`,
    duration: () => `PT${1 + Math.floor(random() * 59)}M`,
    email: () => `${one}.${word(random)}@example.com`,
    'idn-email': () => `${one}@example.com`,
    uuid: () => randomUuid(random),
    guid: () => randomUuid(random),
    uri: () => `https://example.com/${one}/${Math.floor(random() * 1000)}`,
    url: () => `https://example.com/${one}/${Math.floor(random() * 1000)}`,
    iri: () => `https://example.com/${one}`,
    'uri-reference': () => `/${one}`,
    'uri-template': () => `https://example.com/${one}{/id}`,
    hostname: () => `${one}.example.com`,
    'idn-hostname': () => `${one}.example.com`,
    ipv4: () => `192.0.2.${1 + Math.floor(random() * 254)}`,
    ipv6: () => `2001:db8::${(1 + Math.floor(random() * 65_534)).toString(16)}`,
    byte: () => 'bW9jaw==',
    binary: () => one,
    'json-pointer': () => `/${one}`,
    'relative-json-pointer': () => `0/${one}`,
    regex: () => `^${one}$`,
    password: () => `${one}-${randomText(random, 6)}`,
    color: () =>
      `#${Math.floor(random() * 0xffffff)
        .toString(16)
        .padStart(6, '0')}`,
    phone: () => `+1555${digits(random, 10_000_000, 7)}`,
  }
  return table[format]?.()
}

const english = wordLists['en'] as WordList

/** An id is a short text; the name of any other field says what kind of text it has. */
function byName(name: string, random: Random): string {
  return /(?:^|[a-z_-])ids?$|^ids?$/i.test(name)
    ? randomText(random)
    : drawByName(random, name, english)
}
