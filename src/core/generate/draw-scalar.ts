import { formats } from '../formats/formats.ts'
import { type JsonRecord, ownValue } from '../json/json.ts'
import { scalarText } from '../json/scalar-text.ts'
import { type Random, randomText, randomUuid } from '../time/random.ts'
import { drawByName, isKnownName, phrase, sentences } from './by-name.ts'
import { drawInteger, pick } from './draw.ts'
import { toDecimals } from './numbers.ts'
import { drawPattern } from './pattern-text.ts'
import type { WordList } from './words.ts'

/** Draws a number within the limits of a schema; the name of the field says what range is usual. */
export function drawNumber(
  limits: JsonRecord,
  name: string,
  random: Random,
  isInteger: boolean,
): number {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = limits
  const step = Number(multipleOf ?? (isInteger ? 1 : 0.01))
  const unit = isInteger && !Number.isInteger(step) ? step * 100 : step
  const lowest = Math.max(Number(minimum ?? -Infinity), Number(exclusiveMinimum ?? -Infinity))
  const highest = Math.min(Number(maximum ?? Infinity), Number(exclusiveMaximum ?? Infinity))
  const usual = usualRange(name, limits, isInteger)
  const width = usual[1] - usual[0]
  const isUsual = usual[0] >= lowest && usual[1] <= highest
  const from =
    lowest === -Infinity ? Math.min(usual[0], highest - Math.min(width, Math.abs(highest))) : lowest
  const low = isUsual ? usual[0] : from
  const high = isUsual ? usual[1] : Math.min(highest, Math.max(usual[1], low + width))
  const first = Math.ceil(low / unit - 1e-9)
  const last = Math.floor(high / unit + 1e-9)
  const isLowOpen = exclusiveMinimum !== undefined && first * unit <= lowest
  const isHighOpen = exclusiveMaximum !== undefined && last * unit >= highest
  const [min, max] = [isLowOpen ? first + 1 : first, isHighOpen ? last - 1 : last]
  if (max < min) return isInteger ? Math.ceil(low) : (low + high) / 2
  return toDecimals(drawInteger(random, min, max) * unit, unit < 1 ? 10 : 0)
}

/** The usual values of numbers by the name of their field; the first that fits counts. */
const ranges: readonly (readonly [RegExp, number, number])[] = [
  [/(?:_at|At|timestamp|created|updated)$/, 1_700_000_000, 1_730_000_000],
  [/lat(?:itude)?$/i, -60, 60],
  [/(?:lng|lon|longitude)$/i, -180, 180],
  [/year$/i, 1990, 2026],
  [/month$/i, 1, 12],
  [/day$/i, 1, 28],
  [/(?:^|_)age$|Age$/, 18, 90],
  [/percent|percentage|ratio|rate$/i, 0, 100],
  [/rating|stars$/i, 1, 5],
  [/quantity|qty|stock|seats|size$/i, 1, 50],
]

function usualRange(name: string, { format }: JsonRecord, isInteger: boolean): [number, number] {
  if (format === 'unix-time') return [1_700_000_000, 1_730_000_000]
  const [, low, high] = ranges.find(([pattern]) => pattern.test(name)) ?? [undefined, 1, 1000]
  return isInteger || high < 1e9 ? [low, high] : [1, 1000]
}

/** Draws a text of the format, the pattern and the lengths of a schema; else of the name of the field. */
export function drawText(
  limits: JsonRecord,
  name: string,
  random: Random,
  words: WordList,
): string {
  const { format, pattern, minLength = 0, maxLength = Infinity } = limits
  const least = Math.min(Number(minLength), 100_000)
  const most = Number(maxLength)
  const ofPattern = (): string | undefined =>
    typeof pattern === 'string' ? drawPattern(random, pattern) : undefined
  const named = (): string | undefined =>
    pattern === undefined || isKnownName(name) ? drawNamed(random, name, words) : undefined
  const candidates: [times: number, candidate: () => string | undefined][] = [
    [3, () => ownValue(drawFormat, scalarText(format))?.(random, words, name)],
    [3, () => (ownValue(formats, scalarText(format)) ? undefined : named())],
    [40, ofPattern],
    [1, () => fit(sentences(random, words, least), least, most)],
    [1, () => fit(phrase(random, words), least, most)],
    [1, () => fit(randomText(random, Math.max(least, 1)), least, most)],
  ]
  for (const [times, candidate] of candidates) {
    for (let tries = 0; tries < times; tries++) {
      const text = candidate()
      if (text === undefined) break
      if (isAllowed(text, limits)) return text
    }
  }
  return fit(ofPattern() ?? 'text', least, most)
}

/** An id is a short text; the name of any other field says what kind of text it has. */
function drawNamed(random: Random, name: string, words: WordList): string {
  return /(?:^|[a-z_-])ids?$|^ids?$/i.test(name)
    ? randomText(random)
    : drawByName(random, name, words)
}

function fit(text: string, least: number, most: number): string {
  return text.slice(0, Math.min(most, text.length)).trim().padEnd(least, 'x')
}

/** Whether a scalar keeps the limits of its schema. */
export function isAllowed(value: string | number | boolean, limits: JsonRecord): boolean {
  if (typeof value === 'string') {
    const { pattern, minLength = 0, maxLength = Infinity, format } = limits
    const { length } = Array.from(value)
    const hasLength = length >= Number(minLength) && length <= Number(maxLength)
    const isFormat = ownValue(formats, scalarText(format)) ?? (() => true)
    return hasLength && isFormat(value) && (typeof pattern !== 'string' || isMatch(value, pattern))
  }
  if (typeof value !== 'number') return true
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = limits
  return (
    value >= Number(minimum ?? -Infinity) &&
    value <= Number(maximum ?? Infinity) &&
    value > Number(exclusiveMinimum ?? -Infinity) &&
    value < Number(exclusiveMaximum ?? Infinity) &&
    (multipleOf === undefined || Number.isInteger(value / Number(multipleOf)))
  )
}

/** Whether a text matches a pattern; an invalid pattern matches every text. */
function isMatch(text: string, pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text)
  } catch {
    return true
  }
}

/** Draws a time of the years 2024 and 2025; a date of birth lies before. */
function drawTime(random: Random, name: string): string {
  const isBirth = /birth|dob$|^born/i.test(name)
  const [start, years] = isBirth ? [Date.UTC(1940, 0, 1), 70] : [Date.UTC(2024, 0, 1), 2]
  const seconds = drawInteger(random, 0, years * 365 * 86_400)
  return new Date(start + seconds * 1000).toISOString().replace('.000', '')
}

const drawEmail: FormatDraw = (random, words) => drawByName(random, 'email', words)
const drawUrl: FormatDraw = (random, words, name = '') =>
  drawByName(
    random,
    /image|avatar|photo|picture|logo|icon|thumb/i.test(name) ? 'image' : 'url',
    words,
  )
const drawHost: FormatDraw = (random, { nouns }) =>
  `${pick(random, nouns)?.toLowerCase()}.example.com`
const drawPath: FormatDraw = (random, { nouns }) =>
  `/${encodeURIComponent(pick(random, nouns)?.toLowerCase() ?? '')}`

type FormatDraw = (random: Random, words: WordList, name?: string) => string

/** Draws a text by the name of its format in JSON Schema, OpenAPI or statistics. */
export const drawFormat: Readonly<Record<string, FormatDraw>> = {
  'date-time': (random, _words, name = '') => drawTime(random, name),
  date: (random, _words, name = '') => drawTime(random, name).slice(0, 10),
  time: (random) => drawTime(random, '').slice(11),
  duration: (random) => `PT${drawInteger(random, 1, 59)}M`,
  email: drawEmail,
  'idn-email': drawEmail,
  uri: drawUrl,
  url: drawUrl,
  iri: drawUrl,
  'uri-reference': drawPath,
  'iri-reference': drawPath,
  'uri-template': () => 'https://example.com/items{/id}',
  'json-pointer': () => '/items/0',
  'relative-json-pointer': () => '0/items',
  regex: () => '^[a-z]+$',
  hostname: drawHost,
  'idn-hostname': drawHost,
  ipv4: (random) => `192.0.2.${drawInteger(random, 1, 254)}`,
  ipv6: (random) => `2001:db8::${drawInteger(random, 1, 65_534).toString(16)}`,
  uuid: randomUuid,
  guid: randomUuid,
  'object-id': (random) => letters(random, 24, '0123456789abcdef'),
  ulid: (random) => `01${letters(random, 24, '0123456789ABCDEFGHJKMNPQRSTVWXYZ')}`,
  nanoid: (random) =>
    letters(random, 21, 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-'),
  byte: (random) => letters(random, 8, 'abcdefghijklmnopqrstuvwxyz'),
  int64: (random) => String(drawInteger(random, 1, 99_999)),
  password: (random) => randomText(random, 12),
  color: (random, words) => drawByName(random, 'color', words),
  phone: (random, words) => drawByName(random, 'phone', words),
}

function letters(random: Random, length: number, from: string): string {
  return Array.from({ length }, () => from[drawInteger(random, 0, from.length - 1)]).join('')
}
