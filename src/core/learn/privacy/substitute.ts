import { isIpv4 } from '../../formats/addresses.ts'
import { isDate, isDateTime } from '../../formats/dates.ts'
import { define, isRecord, type Json, tryJson } from '../../json/json.ts'
import { fromBase64, toBase64Url } from '../../text/base64.ts'
import { createRandom, hash, type Random } from '../../time/random.ts'
/** Invents a value of the same format; equal values stay equal, so that relations hold. */
export function substitute(value: Json): Json {
  if (typeof value === 'string') return substituteText(value)
  if (typeof value === 'number') return substituteNumber(value)
  if (Array.isArray(value)) return value.map(substitute)
  if (!isRecord(value)) return value
  const copy: Record<string, Json> = {}
  for (const [key, inner] of Object.entries(value)) define(copy, key, substitute(inner))
  return copy
}

/** Invents a text of the same format: an email address stays one, a date a date. */
export function substituteText(text: string): string {
  const token = jwt.exec(text)
  if (token) return substituteJwt(token)
  if (text.includes('@')) {
    const replaced = substituteEmails(text)
    if (replaced !== text || /@example\.(?:com|net|org)$/.test(text)) return replaced
  }
  if (isDate(text) || isDateTime(text)) return substituteDate(text)
  if (isIpv4(text)) return `192.0.2.${(hash(text) % 254) + 1}`
  const words = text.match(/(?<![\p{L}\p{N}_-])\p{L}+(?![\p{L}\p{N}_-])/gu) ?? []
  const isProse = words.length > 3
  // Word by word, so that a full name and its parts still agree.
  return text.replaceAll(/[\p{L}\p{N}_-]+/gu, (word) =>
    isProse && /^\p{L}+$/u.test(word) ? toUsualWord(word) : substituteWord(word),
  )
}

/** Replaces every email address in a text. */
export function substituteEmails(text: string): string {
  return text.replaceAll(emails, (email) => {
    const lower = email.toLowerCase()
    const account = lower.slice(0, lower.lastIndexOf('@'))
    // Word by word, so that the address looks like that of the substitute of a name.
    const name = account.replaceAll(/[\p{L}\p{N}]+/gu, (word) => substituteWord(word))
    // Short names would have few substitutes, and two addresses could have the same.
    const number = hash(`${lower}.`).toString(36).slice(-4)
    return `${name.replaceAll(/[^\w.-]/g, '.')}.${number}@example.com`
  })
}

/** Matches email addresses inside of a text, except addresses at the domains for documentation (RFC 2606). */
const emails =
  /[\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?!example\.(?:com|net|org)\b)[\dA-Za-z-]+(?:\.[\dA-Za-z-]+)+/g

/** A token in JSON Web Signature, compact form (RFC 7515 §3.1). */
const jwt = /^(Bearer )?(eyJ[\w-]+)\.(eyJ[\w-]+)\.([\w-]*)$/

const vowels = 'aeiou'
const consonants = 'bdfgklmnprstv'
/** The consonants that a name can end with. */
const lastConsonants = 'nrsl'
const allConsonants = 'bcdfghjklmnpqrstvwz'
const hexLetters = 'abcdef'

/** Replaces letters by letters and digits by digits; the case stays. A word of letters becomes a name. */
function substituteWord(word: string): string {
  const random = createRandom(word.toLowerCase())
  if (/^\p{L}{2,}$/u.test(word)) return withCaseOf(word, toName(random, Array.from(word).length))
  const isHex = /^(?=.*\d)[\da-f-]{8,}$/i.test(word)
  const letters = Array.from(word, (char, at) => {
    if (/\d/.test(char)) return digit(random, at === 0)
    if (!/\p{L}/u.test(char)) return char
    const isVowel = vowels.includes(char.toLowerCase().normalize('NFD').charAt(0))
    return pick(isHex ? hexLetters : isVowel ? vowels : allConsonants, random)
  })
  return withCaseOf(word, letters.join(''))
}

/** Invents a name of syllables, such as `Lomira`. */
function toName(random: Random, length: number): string {
  let isVowelNext = random() < 0.25
  let name = ''
  while (name.length < length) {
    const isLast = name.length === length - 1
    name += pick(isVowelNext ? vowels : isLast ? lastConsonants : consonants, random)
    // Some syllables are closed: `Mar-ten`.
    const isClosed = !isVowelNext && /[aeiou][rnl]$/.test(name) && !isLast && random() < 0.5
    isVowelNext = !isVowelNext && !isClosed
  }
  return name
}

/** Returns a usual word of the same length class, with the case of the first letter. */
function toUsualWord(word: string): string {
  const length = Math.min(Array.from(word).length, 10)
  const list = usualWords.filter((one) => one.length === length)
  const index = Math.floor(createRandom(word.toLowerCase())() * list.length)
  return withCaseOf(word, list[index] ?? 'word')
}

const usualWords = (
  'a i of to in it on the and one for day way sun with time some long open over road table light water paper ' +
  'small round river after under street garden little simple summer always between morning picture ' +
  'nothing another without mountain together evening children sometimes beautiful important different ' +
  'understand afternoon everything completely'
).split(' ')

function withCaseOf(word: string, letters: string): string {
  const chars = Array.from(word)
  return Array.from(letters, (letter, at) => {
    const char = chars[at] ?? ''
    return char === char.toLowerCase() ? letter : letter.toUpperCase()
  }).join('')
}

/** The first digit is never 0, so that a number keeps its length. */
function digit(random: Random, isFirst: boolean): string {
  return pick(isFirst ? '123456789' : '0123456789', random)
}

function pick(letters: string, random: Random): string {
  return letters.charAt(Math.floor(random() * letters.length))
}

function substituteNumber(value: number): number {
  const replaced = Number(String(value).replaceAll(/\d+/g, (digits) => substituteWord(digits)))
  return Number.isFinite(replaced) ? replaced : value
}

/** Returns another day of the same year; the time of the day stays. */
function substituteDate(text: string): string {
  const seed = hash(text.slice(0, 10))
  const pad = (value: number): string => String(value).padStart(2, '0')
  const day = `${pad((seed % 12) + 1)}-${pad(((seed >>> 8) % 28) + 1)}`
  return text.slice(0, 5) + day + text.slice(10)
}

/** Returns a token with the same header and times, substituted claims and an invalid signature. */
function substituteJwt([
  _text,
  scheme = '',
  header = '',
  payload = '',
  end = '',
]: RegExpExecArray): string {
  const signature = substituteWord(end)
  return `${scheme}${header}.${toBase64Url(JSON.stringify(substituteClaims(payload)))}.${signature}`
}

/** Claims without personal data (RFC 7519 §4.1), and claims by which clients decide, such as roles. */
const openClaims = new Set(['exp', 'iat', 'nbf', 'iss', 'aud', 'typ', 'role', 'roles', 'scope'])

function substituteClaims(payload: string): Json {
  const claims = tryJson(fromBase64(payload) ?? '')
  if (!isRecord(claims)) return {}
  const entries = Object.entries(claims).map(([name, value]) => [
    name,
    openClaims.has(name) ? value : substitute(value),
  ])
  return Object.fromEntries(entries) as Json
}
