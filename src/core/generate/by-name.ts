import type { Random } from '../time/random.ts'
import { toSlug } from '../text/slug.ts'
import { drawInteger, pick } from './draw.ts'
import type { WordList } from './words.ts'

/** Draws a text for a field without examples, by the name of the field. */
export function drawByName(random: Random, name: string, words: WordList): string {
  const [, draw] = rowOf(name) ?? [undefined, phrase]
  return draw(random, words)
}

/** Whether the name of a field says what kind of text it has. */
export function isKnownName(name: string): boolean {
  return rowOf(name) !== undefined
}

function rowOf(name: string): (typeof rows)[number] | undefined {
  const key = name.replaceAll(/[_\-\s]/g, '').toLowerCase()
  return rows.find(([pattern]) => pattern.test(key))
}

type Draw = (random: Random, words: WordList) => string

const one =
  (list: keyof WordList): Draw =>
  (random, words) =>
    pick(random, words[list]) ?? ''

const first = one('firstNames')
const last = one('lastNames')
const person: Draw = (random, words) => `${first(random, words)} ${last(random, words)}`
const login: Draw = (random, words) => toSlug(first(random, words)) + drawInteger(random, 1, 999)
const email: Draw = (random, words) => `${login(random, words)}@example.com`
const slug: Draw = (random, words) => toSlug(phrase(random, words))
const url: Draw = (random, words) => `https://example.com/${slug(random, words)}`
const phone: Draw = (random) =>
  `+1 555 ${drawInteger(random, 100, 999)} ${drawInteger(random, 1000, 9999)}`

/** The kinds of texts by the name of a field in lower case, without separators; the first that fits counts. */
const rows: readonly (readonly [RegExp, Draw])[] = [
  [/e?mail(?:address)?$/, email],
  [/(?:first|given|fore)name$/, first],
  [/(?:last|family|sur)name$/, last],
  [/(?:user|login|screen|nick)name$|^login$|^handle$/, login],
  [/(?:full|display|author|customer|owner|contact|real)name$|^(?:author|assignee|owner)$/, person],
  [/(?:company|organi[sz]ation|vendor|brand|employer)(?:name)?$/, one('companies')],
  [/(?:phone|mobile|fax|tel)(?:number)?$/, phone],
  [
    /(?:image|avatar|photo|picture|thumbnail|logo|icon)(?:url|uri)?$/,
    (random) => `https://example.com/images/${drawInteger(random, 1, 500)}.jpg`,
  ],
  [/(?:url|uri|href|link|website|homepage)$/, url],
  [/slug$/, slug],
  [
    /(?:street|addressline1|line1|address)$/,
    (random, words) => `${one('streets')(random, words)} ${drawInteger(random, 1, 120)}`,
  ],
  [/(?:city|town)$/, one('cities')],
  [/(?:zip|postal|post)(?:code)?$/, (random) => String(drawInteger(random, 10_000, 99_999))],
  [
    /countrycode$|^country$/,
    (random) => pick(random, ['DE', 'FR', 'GB', 'NL', 'NO', 'PT', 'US']) ?? 'US',
  ],
  [/(?:language|locale|lang)$/, (random) => pick(random, ['de', 'en', 'es', 'fr']) ?? 'en'],
  [/currency(?:code)?$/, (random) => pick(random, ['EUR', 'GBP', 'USD']) ?? 'EUR'],
  [/timezone$/, () => 'Europe/Berlin'],
  [
    /colou?r$/,
    (random) =>
      `#${Array.from({ length: 6 }, () => drawInteger(random, 0, 15).toString(16)).join('')}`,
  ],
  [
    /version$/,
    (random) =>
      `${drawInteger(random, 0, 9)}.${drawInteger(random, 0, 20)}.${drawInteger(random, 0, 9)}`,
  ],
  [
    /(?:sku|code|number|reference|ref)$/,
    (random) => `${pick(random, ['AX', 'BR', 'KD', 'MN'])}-${drawInteger(random, 1000, 9999)}`,
  ],
  [
    /(?:body|content|text|description|comment|message|note|notes|bio|summary|about|details)$/,
    (random, words) => sentences(random, words, 60),
  ],
  [/(?:name|label)$/, phrase],
]

/** Writes two words, such as "Quiet harbor". */
export function phrase(random: Random, words: WordList): string {
  const text = `${pick(random, words.adjectives)} ${pick(random, words.nouns)}`
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Writes sentences of at least some characters. */
export function sentences(random: Random, words: WordList, least: number): string {
  const chosen: string[] = []
  for (let length = 0; length < Math.max(least, 1); length += (chosen.at(-1)?.length ?? 0) + 1) {
    chosen.push(pick(random, words.sentences) ?? 'It works.')
  }
  return chosen.join(' ')
}
