import { type JsonRecord, someScalar } from '../../json/json.ts'
import { type Path, someAt } from '../../json/path.ts'
import type { TextMatches } from '../../structures/indexes.ts'
import { createIntegerLists } from '../../structures/integer-lists.ts'
import { intersect, type SlotSet, toSlotSet } from '../../structures/slot-set.ts'
import { type Building, type SlottedRecords, workPerStep } from './indexed.ts'

/** Finds the records with a text; undefined for a text without letters and digits. */
export type FindText = (text: string, length: number) => TextMatches | undefined

/** The records that a step indexes. */
const recordsPerStep = 256
/** Longer words are not indexed: the records with such a word are always tested. */
const maxWord = 256
/** The words of a text, in lower case: letters, digits, and all characters outside of ASCII. */
const wordPattern = /[\da-z\u0080-\uffff]+/g
/** The end of a word, what separates it from the next, and the begin of that. */
const jointPattern =
  /([\da-z\u0080-\uffff]{1,2})([^\da-z\u0080-\uffff]{1,2})(?=([\da-z\u0080-\uffff]{1,2}))/g
/** Stands before and after each word, so that its first and its last character have a trigram. */
const separator = '  '
/** Stands before and after each joint, which is no part of a word. */
const frame = '\n'

/**
 * Builds the index of the texts at a path, or of all texts without a path: the words, the records of each word, and
 * the words with each trigram. At a path, the joints of words are words, too: of `red car`, it is `ed ca`. A text
 * without a separator is in a record if it is in one of its words, so that no record is read; a text of several words
 * is in some of the records that have all of them and their joints.
 */
export function* buildTexts({ length, at }: SlottedRecords, path: Path): Building<FindText> {
  const numbers = new Map<string, number>()
  const words = ['']
  const slotsOf = createIntegerLists()
  const trigrams = new Map<number, number>()
  const wordsWith = createIntegerLists()
  /** The number of the records with too long words. */
  const untested = slotsOf.create()

  function numberOf(word: string): number {
    if (word.length > maxWord) return untested
    const known = numbers.get(word)
    if (known !== undefined) return known
    const number = slotsOf.create()
    numbers.set(word, number)
    words.push(word)
    for (const trigram of trigramsOf(separator + word + separator)) {
      const list = trigrams.get(trigram) ?? wordsWith.create()
      trigrams.set(trigram, list)
      wordsWith.add(list, number)
    }
    return number
  }

  /** Returns the words that have a fragment, whose separators stand for the begin and the end of a word. */
  function find(fragment: string): number[] {
    let lists: number[] | undefined
    for (const trigram of trigramsOf(fragment)) {
      const list = trigrams.get(trigram)
      if (list === undefined) return []
      if (!lists || wordsWith.sizeOf(list) < wordsWith.sizeOf(lists[0] ?? 0)) lists = [list]
    }
    const candidates = lists ? wordsWith.read(lists) : words.keys()
    const around = fragment.includes(separator) ? separator : ''
    return [...candidates].filter(
      (number) =>
        slotsOf.sizeOf(number) > 0 && `${around}${words[number]}${around}`.includes(fragment),
    )
  }

  const sizeOf = (some: readonly number[]): number =>
    some.reduce((sum, number) => sum + slotsOf.sizeOf(number), 0)

  function findText(text: string, currentLength: number): TextMatches | undefined {
    const fragments = fragmentsOf(text, path)
    if (fragments.length === 0) return undefined
    // At the begin or the end of a text, any separator is the same to a fragment.
    const isExact = text === text.trim() && fragments.includes(text)
    const found = (isExact ? [text] : fragments)
      .map((fragment) => [untested, ...find(fragment)])
      .sort((one, other) => sizeOf(one) - sizeOf(other))
    let set: SlotSet | undefined
    for (const some of found) {
      // Testing so few records takes less time than reading the list.
      if (set && set.size * 256 < sizeOf(some)) break
      const other = toSlotSet(slotsOf.read(some), currentLength)
      set = set ? intersect(set, other, currentLength) : other
    }
    return set && { set, isExact: isExact && slotsOf.sizeOf(untested) === 0 }
  }

  for (let slot = 0; slot < length; slot++) {
    if (slot % recordsPerStep === recordsPerStep - 1) yield workPerStep
    eachWord(at(slot), path, (word) => slotsOf.add(numberOf(word), slot))
  }
  return {
    entries: findText,
    update(before, records) {
      for (const [slot, held] of before) {
        const heldWords = new Set<number>()
        const wordsNow = new Set<number>()
        eachWord(held, path, (word) => heldWords.add(numberOf(word)))
        eachWord(records.at(slot), path, (word) => wordsNow.add(numberOf(word)))
        for (const word of heldWords) if (!wordsNow.has(word)) slotsOf.remove(word, slot)
        for (const word of wordsNow) if (!heldWords.has(word)) slotsOf.add(word, slot)
      }
    },
  }
}

/** Returns the fragments that the words and joints of a matching text have; none if the text has no word. */
function fragmentsOf(text: string, path: Path): string[] {
  const words = [...text.matchAll(wordPattern)]
  const isLast = ({ 0: word, index }: RegExpExecArray): boolean =>
    index + word.length === text.length
  return words.flatMap((one, at) => {
    const { 0: word, index } = one
    const fragment = `${index === 0 ? '' : separator}${word}${isLast(one) ? '' : separator}`
    const next = words[at + 1]
    const between = text.slice(index + word.length, next?.index)
    if (!next || path.length === 0 || between.length > 2) return [fragment]
    const begin = `${index === 0 ? '' : frame}${word}`.slice(-2)
    return [fragment, begin + between + `${next[0]}${isLast(next) ? '' : frame}`.slice(0, 2)]
  })
}

/** Calls back for each word in the texts at a path, with their joints, or anywhere in a record. */
function eachWord(
  record: JsonRecord | undefined,
  path: Path,
  callback: (word: string) => void,
): void {
  if (!record) return
  const read = (value: unknown): boolean => {
    if (!isText(value)) return false
    const text = String(value).toLowerCase()
    for (const word of text.match(wordPattern) ?? []) callback(word)
    if (path.length > 0)
      for (const [, end, between, begin] of text.matchAll(jointPattern))
        callback(frame + end + between + begin + frame)
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
