import type { Random } from '../time/random.ts'
import { pick } from './draw.ts'
import type { WordList } from './words.ts'

/** Creates the functions that write texts in the manner of the examples of a field. */
export function createTexts(examples: readonly string[], words: WordList): Texts {
  const sentences = [...new Set(examples.flatMap(sentencesOf))]
  const pool = sentences.length >= 6 ? sentences : [...sentences, ...words.sentences]
  const contentWords = wordsByForm(examples)
  const endings = endingsByJoint(examples)
  return {
    prose(random, near, more = 0) {
      return near
        .split(/\n+/)
        .map((paragraph) => {
          const count = sentencesOf(paragraph).length + more
          const chosen = new Set<string>()
          for (let at = 0; at < count * 3 && chosen.size < count; at++) {
            chosen.add(pick(random, pool) ?? '')
          }
          return [...chosen].join(' ')
        })
        .join(/\n\n/.test(near) ? '\n\n' : '\n')
    },
    phrase(random, near) {
      const parts = partsOf(near)
      const others = parts && endings.get(parts.joint)
      if (parts && others && others.length > 2 && random() < 0.7) {
        return parts.start + parts.joint + pick(random, others)
      }
      return replaceWords(random, near, contentWords, words)
    },
  }
}

/** Splits a title at its first joint, such as ` for ` or a comma; undefined without one. */
function partsOf(text: string): { start: string; joint: string; end: string } | undefined {
  const [, start, joint, end] =
    /^(.+?)(, | – | — |: | & | (?:and|at|by|for|from|in|of|on|to|with|aus|bei|für|im|in|mit|und|von|zu) )(.+)$/i.exec(
      text,
    ) ?? []
  return start === undefined || joint === undefined || end === undefined
    ? undefined
    : { start, joint, end }
}

/** The ends of titles by the joint before them. */
function endingsByJoint(examples: readonly string[]): ReadonlyMap<string, string[]> {
  const found = new Map<string, Set<string>>()
  for (const example of examples) {
    const parts = partsOf(example)
    if (!parts) continue
    found.set(parts.joint, (found.get(parts.joint) ?? new Set()).add(parts.end))
  }
  return new Map(Array.from(found, ([joint, ends]) => [joint, [...ends]]))
}

/** Replaces the last word of a title, and sometimes another, by words in the same form. */
function replaceWords(
  random: Random,
  near: string,
  contentWords: ReadonlyMap<string, string[]>,
  words: WordList,
): string {
  const parts = near.split(' ')
  const changeable = parts.flatMap((part, at) => (isContentWord(part) ? [at] : []))
  const chosen = new Set([changeable.at(-1), random() < 0.4 ? pick(random, changeable) : undefined])
  for (const at of chosen) {
    const word = parts[at ?? parts.length - 1] ?? ''
    const form = formOf(word)
    const known = contentWords.get(form) ?? []
    const others = known.length >= 4 ? known : [...known, ...plainWords(form, words)]
    const [punctuation = ''] = /[.,;:!?)]*$/.exec(word) ?? []
    parts[at ?? parts.length - 1] = (pick(random, others) ?? word) + punctuation
  }
  return parts.join(' ')
}

/** Writes texts near an example. */
export interface Texts {
  /** Writes as many paragraphs and sentences as an example has, or `more` sentences in each paragraph. */
  prose(random: Random, near: string, more?: number): string
  /** Replaces words of a title or a name by other words in the same form. */
  phrase(random: Random, near: string): string
}

/** Whether a text is several sentences, rather than a title. */
export function isProse(text: string): boolean {
  return /[.!?…]["”’)]?(?:\s|$)/.test(text) && text.includes(' ') && text.length > 24
}

function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?…]["”’)]?)\s+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')
}

function isContentWord(word: string): boolean {
  return /^\p{L}[\p{L}’'-]{3,}[.,;:!?)]*$/u.test(word) && !functionWords.has(word.toLowerCase())
}

const functionWords = new Set(
  'about after also because been before from have into just more most much nothing only other over some than that their them then there these they this very what when where which while with without would your aber auch dass denn doch durch eine einem einen einer eines haben nach nicht oder ohne sich sind über unser unter wenn werden wird'.split(
    ' ',
  ),
)

/** The form of a word, by which it can replace another: its first letter and its ending. */
function formOf(word: string): string {
  const plain = word.replace(/[.,;:!?)]+$/, '')
  const isUpper = /^\p{Lu}/u.test(plain)
  const ending = /(?:ing|ed|ly|s)$/.exec(plain.toLowerCase())?.[0] ?? ''
  return `${isUpper ? 'A' : 'a'}${ending}`
}

function wordsByForm(examples: readonly string[]): ReadonlyMap<string, string[]> {
  const found = new Map<string, Set<string>>()
  for (const example of examples) {
    for (const word of example.split(/\s+/).filter(isContentWord)) {
      const form = formOf(word)
      const words = found.get(form) ?? new Set()
      found.set(form, words.add(word.replace(/[.,;:!?)]+$/, '')))
    }
  }
  return new Map(Array.from(found, ([form, words]) => [form, [...words]]))
}

function plainWords(form: string, { nouns }: WordList): string[] {
  const isUpper = form.startsWith('A')
  return nouns.map((noun) => (isUpper ? noun.charAt(0).toUpperCase() + noun.slice(1) : noun))
}
