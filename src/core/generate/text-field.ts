import type { Statistics } from '../shape/statistics.ts'
import { isEnum } from '../shape/describe/is-enum.ts'
import type { Random } from '../time/random.ts'
import { createRandom } from '../time/random.ts'
import { drawByName, isKnownName } from './by-name.ts'
import { drawInteger, pick } from './draw.ts'
import { drawFormat } from './draw-scalar.ts'
import { createTexts, isProse } from './texts.ts'
import type { WordList } from './words.ts'

/** Creates the function that draws the texts of a field near those of the examples. */
export function createTextField(
  facts: TextFacts,
): (random: Random, near: string, number: number) => string {
  const draw = createDraw(facts)
  // A color or a country may repeat, although those of the examples do not.
  if (!facts.isUnique || kindNames.test(facts.name)) return draw
  const taken = new Set(facts.values)
  return (random, near, number) => {
    let text = draw(random, near, number)
    for (let times = 1; taken.has(text); times++) {
      const again = draw(createRandom(random() * 2 ** 32), near, number, times)
      text = times < 20 ? again : withNumber(again, times - 18)
    }
    taken.add(text)
    return text
  }
}

/** Makes a text different from another: `grace2`, `grace2@example.org`, `Blue kettle 2`. */
export function withNumber(text: string, number: number): string {
  const [, start = text, end = ''] = /^([^@]*)(@.*)?$/s.exec(text) ?? []
  return `${start}${/\s/.test(start) ? ' ' : ''}${number}${end}`
}

/** The texts of a field. */
interface TextFacts {
  name: string
  /** The texts of the examples, in the order of the records. */
  values: readonly string[]
  statistics: Statistics
  words: WordList
  /** Whether no two records share a text. */
  isUnique: boolean
}

/** Draws a text; `times` counts the texts that were taken. */
type Draw = (random: Random, near: string, number: number, times?: number) => string

function createDraw(facts: TextFacts): Draw {
  const { name, values, statistics, words } = facts
  const { strings } = statistics
  if (!strings) return (_random, near) => near
  const format = strings.format
  if (format !== undefined && randomFormats.has(format)) {
    return (random, near) => drawFormat[format]?.(random, words) ?? near
  }
  if (format === 'numeric') return redigit
  if (values.every((text) => /^#[\da-f]{6}$/i.test(text))) {
    return (random) => drawByName(random, 'color', words)
  }
  if (isRepeated(facts)) return (_random, near) => near
  const sequence = findSequence(values)
  if (sequence) return (_random, _near, number) => sequence(number)
  if (format === 'email') return (random, near) => emailLike(random, near, words)
  if (format === 'uri') return (random, near) => redigit(random, near)
  if (values.every(isCode)) return redigit
  const texts = createTexts(values, words)
  if (values.some(isProse)) {
    return (random, near, _number, times = 0) => texts.prose(random, near, Math.min(times, 2))
  }
  if (isPersonName(name, values)) return (random, near) => personLike(random, near, values, words)
  if (values.some((text) => /\s/.test(text))) return texts.phrase
  if (isKnownName(name) && !facts.isUnique) return (_random, near) => near
  return facts.isUnique
    ? (random) => singleWord(random, name, values, words)
    : (_random, near) => near
}

const randomFormats = new Set([
  'uuid',
  'ulid',
  'object-id',
  'nanoid',
  'ipv4',
  'ipv6',
  'hostname',
  'time',
])

/** Whether a field has few texts that repeat, such as a status, a currency or a city. */
function isRepeated({ name, values, statistics, isUnique }: TextFacts): boolean {
  const { strings } = statistics
  if (!strings || isUnique) return kindNames.test(name)
  return isEnum(strings) || new Set(values).size * 2 <= values.length || kindNames.test(name)
}

const kindNames =
  /(?:^|_)(?:status|state|type|kind|role|category|level|priority|currency|country|language|lang|locale|colou?r|unit|size|gender|method|mode|severity|stage|visibility)$|(?:Status|State|Type|Kind|Role|Category|Level|Priority|Currency|Country|Language|Color|Unit|Size|Method|Mode)$/

/** Finds texts that count up, such as `FF-1001`, `FF-1002`; returns the text of the record with a number. */
function findSequence(values: readonly string[]): ((number: number) => string) | undefined {
  if (values.length < 3) return undefined
  const parts = values.map((text) => /^(\D*)(\d+)(\D*)$/.exec(text))
  const [first] = parts
  if (!first) return undefined
  const [, start = '', , end = ''] = first
  const isCounted = parts.every((one, at) => {
    const before = parts[at - 1]
    const isNext = at === 0 || Number(one?.[2]) === Number(before?.[2]) + 1
    return one?.[1] === start && one[3] === end && isNext
  })
  const last = parts.at(-1)?.[2] ?? '0'
  if (!isCounted) return undefined
  return (number) =>
    start + String(Number(last) + number + 1 - values.length).padStart(last.length, '0') + end
}

/** Whether a text is no language: codes, numbers of telephones. */
function isCode(text: string): boolean {
  return /\d/.test(text) && !/\p{L}{4,}/u.test(text) && text.length <= 40
}

/** Replaces the digits of a text, but not a country code or a leading zero. */
function redigit(random: Random, near: string): string {
  let position = 0
  return near.replaceAll(/\d/g, (digit, at: number) => {
    position++
    const isFixed = (digit === '0' && position === 1) || /^\+?\d?$/.test(near.slice(0, at))
    return isFixed ? digit : String(drawInteger(random, digit === '0' ? 0 : 1, 9))
  })
}

function emailLike(random: Random, near: string, words: WordList): string {
  const domain = near.slice(near.indexOf('@'))
  return drawByName(random, 'email', words).replace(/@.*/, domain)
}

const personNames =
  /^(?:name|author|customer|recipient|assignee|owner|contact|(?:full|first|last|display|given|family|user|customer|author)_?name)$/i

function isPersonName(name: string, values: readonly string[]): boolean {
  const isPerson = (text: string): boolean =>
    /^\p{Lu}[\p{L}’'.-]*(?: (?:\p{Lu}[\p{L}’'.-]*|van|von|de|da|del|di|la|bin|al)){0,4}$/u.test(
      text,
    )
  const share = values.filter(isPerson).length / Math.max(1, values.length)
  return personNames.test(name) && share > 0.9
}

/** Combines the first and last names of the examples and of the words. */
function personLike(
  random: Random,
  near: string,
  values: readonly string[],
  words: WordList,
): string {
  const parts = near.split(' ')
  if (parts.length === 1) return pick(random, [...values, ...words.firstNames]) ?? near
  const firsts = [...values.map((text) => text.split(' ')[0] ?? ''), ...words.firstNames]
  const lasts = [...values.map((text) => text.split(' ').slice(1).join(' ')), ...words.lastNames]
  return `${pick(random, firsts)} ${pick(
    random,
    lasts.filter((last) => last !== ''),
  )}`
}

function singleWord(
  random: Random,
  name: string,
  values: readonly string[],
  words: WordList,
): string {
  if (isKnownName(name)) return drawByName(random, name, words)
  const isUpper = values.every((text) => /^\p{Lu}/u.test(text))
  const word = pick(random, random() < 0.5 ? words.nouns : words.adjectives) ?? ''
  return isUpper ? word.charAt(0).toUpperCase() + word.slice(1) : word.toLowerCase()
}
