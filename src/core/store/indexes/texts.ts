import { type JsonRecord, someScalar } from '../../json/json.ts'
import { type Path, someAt } from '../../json/path.ts'
import type { TextMatches } from '../../structures/indexes.ts'
import { lowerBound } from '../../structures/lower-bound.ts'
import {
  append,
  fewToTest,
  intersect,
  type SlotList,
  type SlotSet,
  unite,
} from '../../structures/slot-set.ts'
import { type Building, type SlottedRecords, workPerStep } from './indexed.ts'

/** Finds the records with a text; undefined for a text without letters and digits. */
export type FindText = (text: string, length: number) => TextMatches | undefined

/** The records that a step indexes. */
const recordsPerStep = 256
/** Longer words are not indexed: the records with such a word are always tested. */
const maxWord = 256
/** The words of a text, in lower case: letters, digits, and all characters outside of ASCII. */
const wordPattern = /[\da-z\u0080-\uffff]+/g
/** Stands before and after each word, so that its first and its last character have a trigram. */
const separator = '  '

/**
 * Builds the index of the texts at a path, or of all texts without a path: the words, the records of each word, and
 * the words with each trigram. A text without a separator is in a record if it is in one of its words, so that no
 * record is read; a text of several words is in some of the records that have all of them.
 */
export function* buildTexts({ length, at }: SlottedRecords, path: Path): Building<FindText> {
  const words = new Map<string, Word>()
  const trigrams = new Map<number, Word[]>()
  const untested: Word = { text: '', size: 0, list: [] }

  function wordOf(name: string): Word {
    const found = words.get(name)
    if (found) return found
    const text = separator + name + separator
    const word: Word = { text, size: 0, list: [] }
    words.set(name, word)
    for (const trigram of trigramsOf(text)) {
      const list = trigrams.get(trigram)
      if (list) list.push(word)
      else trigrams.set(trigram, [word])
    }
    return word
  }

  const toWord = (text: string): Word => (text.length > maxWord ? untested : wordOf(text))

  /** Returns the words that have a fragment, whose separators stand for the begin and the end of a word. */
  function wordsWith(fragment: string): Word[] {
    let candidates = fragment.length < 3 ? [...words.values()] : undefined
    for (const trigram of trigramsOf(fragment)) {
      const list = trigrams.get(trigram) ?? []
      if (!candidates || list.length < candidates.length) candidates = list
    }
    return candidates?.filter(({ size, text }) => size > 0 && text.includes(fragment)) ?? []
  }

  function find(text: string, currentLength: number): TextMatches | undefined {
    const parts = [...text.matchAll(wordPattern)]
    if (parts.length === 0) return undefined
    const fragments = parts.map(({ 0: part, index }) => {
      const end = index + part.length < text.length ? separator : ''
      return (index > 0 ? separator : '') + part + end
    })
    const found = fragments.map(wordsWith).sort((one, other) => sizeOf(one) - sizeOf(other))
    let set: SlotSet | undefined
    for (const some of found) {
      if (set && set.size <= fewToTest) break
      const other = unite([...some, untested], currentLength)
      set = set ? intersect(set, other, currentLength) : other
    }
    return set && { set, isExact: parts[0]?.[0] === text && untested.size === 0 }
  }

  for (let slot = 0; slot < length; slot++) {
    if (slot % recordsPerStep === recordsPerStep - 1) yield workPerStep
    eachWord(at(slot), path, (text) => {
      const word = toWord(text)
      // The words of a record come one after the other.
      if (word.list.at(-1) !== slot) word.size = append(word, slot)
    })
  }
  return {
    entries: find,
    update(before, records) {
      for (const [slot, held] of before) {
        const heldWords = new Set<Word>()
        const wordsNow = new Set<Word>()
        eachWord(held, path, (text) => heldWords.add(toWord(text)))
        eachWord(records.at(slot), path, (text) => wordsNow.add(toWord(text)))
        for (const word of heldWords) if (!wordsNow.has(word)) change(word, slot, 1)
        for (const word of wordsNow) if (!heldWords.has(word)) change(word, slot, 0)
      }
    },
  }
}

/** A word between separators, and the records that have it. */
interface Word extends SlotList {
  text: string
  size: number
  list: number[]
}

/** Adds a slot to the records of a word, or removes it. */
function change(word: Word, slot: number, removed: 0 | 1): void {
  const position = lowerBound(word.list, slot)
  if (removed) word.list.splice(position, 1)
  else word.list.splice(position, 0, slot)
  word.size = word.list.length
  word.bits = undefined
}

function sizeOf(words: readonly Word[]): number {
  return words.reduce((sum, { size }) => sum + size, 0)
}

/** Calls back for each word in the texts at a path, or anywhere in a record. */
function eachWord(
  record: JsonRecord | undefined,
  path: Path,
  callback: (word: string) => void,
): void {
  if (!record) return
  const read = (value: unknown): boolean => {
    if (!isText(value)) return false
    for (const word of String(value).toLowerCase().match(wordPattern) ?? []) callback(word)
    return false
  }
  if (path.length === 0) someScalar(record, read)
  else someAt(record, path, 0, read)
}

/** Whether a value is a scalar that searches read as text. */
function isText(value: unknown): value is string | number | boolean {
  return value !== null && value !== undefined && typeof value !== 'object'
}

/** Returns a number for each three characters in a row, once; other characters can have the same number. */
function trigramsOf(text: string): Set<number> {
  const found = new Set<number>()
  let trigram = 0
  for (let at = 0; at < text.length; at++) {
    trigram = ((trigram << 10) ^ text.charCodeAt(at)) & 0x3fffffff
    if (at > 1) found.add(trigram)
  }
  return found
}
