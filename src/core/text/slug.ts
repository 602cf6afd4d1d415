import { unicodePattern } from './unicode-pattern.ts'

/** Writes a text as part of a URL: lower case, words joined by hyphens, without accents of Latin letters. */
export function toSlug(text: string): string {
  const plain = text
    .normalize('NFD')
    .replaceAll(marks, '$1')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[ßæœøłđðþ]/g, (letter) => latin[letter] ?? letter)
    .replaceAll(/['’]/g, '')
  const words = plain.match(word) ?? []
  return words.join('-').slice(0, MAX_LENGTH).replace(end, '')
}

/** The longest slug that a title makes, in characters. */
const MAX_LENGTH = 200

/** Latin letters that are no letter with an accent. */
const latin: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
}

const marks = unicodePattern(String.raw`([\p{Script=Latin}])[\p{M}]+`, 'gu')
const word = unicodePattern(String.raw`[\p{L}\p{N}][\p{L}\p{N}\p{M}]*`, 'gu')
const end = unicodePattern(String.raw`[-\p{Cs}]+$`, 'u')
