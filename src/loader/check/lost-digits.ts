import { skipSpace, skipString } from '../text/spans.ts'

/** Whether a file may have numbers beyond JavaScript's digits: looks at every sixteenth byte, which long runs hit. */
export function mayLoseDigits(bytes: Uint8Array): boolean {
  for (let at = SHORTEST - 1; at < bytes.length; at += SHORTEST) {
    if (!isDigit(bytes[at])) continue
    let [start, end] = [at, at + 1]
    while (isDigit(bytes[start - 1])) start--
    while (isDigit(bytes[end])) end++
    if (end - start >= SHORTEST && bytes[start - 1] !== QUOTE) return true
  }
  return false
}

/** Finds the numbers of a valid JSON or JSON5 text that lose digits, or are integers beyond 2^53 - 1. */
export function findLostDigits(text: string): LostDigits[] {
  const found: LostDigits[] = []
  for (const { 0: literal, index: offset } of text.matchAll(NUMBER)) {
    const value = Number(literal)
    if (losesDigits(literal, value)) found.push({ offset, literal, value })
  }
  return found.length === 0 ? [] : outsideStrings(text, found)
}

/** A number in the text of a fixture that JavaScript cannot hold with all its digits. */
export interface LostDigits {
  /** The offset in the text, in UTF-16 code units. */
  offset: number
  /** The number as the text has it. */
  literal: string
  value: number
}

/** The shortest run of digits and dots in which a double-precision number can lose digits. */
const SHORTEST = 16

const QUOTE = 34

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && ((byte >= 48 && byte <= 57) || byte === 46)
}

/** A number with a long run of digits, in a place where JSON may have a number. */
const NUMBER = /(?<![^\s[:,])[-+]?[\d.]{16,}(?:e[-+]?\d+)?(?![^\s\]},/])/gi

function losesDigits(literal: string, value: number): boolean {
  if (/^[-+]?\d+$/.test(literal) && !Number.isSafeInteger(value)) return true
  const digits = digitsOf(literal)
  // A producer may write more digits than are needed to tell one double from another.
  return digits.length > 15 && digitsOf(value.toPrecision(Math.min(digits.length, 100))) !== digits
}

/** The significant digits of a number, without those of its exponent. */
function digitsOf(literal: string): string {
  return literal.replace(/e.*$/i, '').replaceAll(/^[-+0.]+|\.|(?:\.0+|0+)$/g, '')
}

function outsideStrings(text: string, found: readonly LostDigits[]): LostDigits[] {
  const outside: LostDigits[] = []
  let from = 0
  for (const one of found) {
    while (from <= one.offset) {
      SPECIAL.lastIndex = from
      const special = SPECIAL.exec(text)?.index ?? text.length
      if (special > one.offset) {
        outside.push(one)
        break
      }
      const end = text[special] === '/' ? skipSpace(text, special) : skipString(text, special)
      from = Math.max(end, special + 1)
    }
  }
  return outside
}

/** The start of a string or a comment. */
const SPECIAL = /["'/]/g
