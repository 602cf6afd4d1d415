import { isIpv4 } from '../../formats/addresses.ts'
import { isDate, isDateTime } from '../../formats/dates.ts'
import { define, isRecord, type Json } from '../../json/json.ts'
import { fromBase64, toBase64Url } from '../../text/base64.ts'
import { createRandom, hash, type Random } from '../../time/random.ts'
import { parseJson } from '../parse-exchange.ts'

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
  // Word by word, so that a full name and its parts still agree.
  return text.replaceAll(/[\p{L}\p{N}_-]+/gu, (word) => substituteWord(word))
}

/** Replaces every email address in a text. */
export function substituteEmails(text: string): string {
  return text.replaceAll(emails, (email) => {
    const lower = email.toLowerCase()
    const name = substituteWord(lower.slice(0, lower.lastIndexOf('@')), lower)
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
const consonants = 'bcdfghjklmnpqrstvwz'
const hexLetters = 'abcdef'

/** Replaces letters by letters and digits by digits; the case stays. */
function substituteWord(word: string, seed = word): string {
  const random = createRandom(seed.toLowerCase())
  const isHex = /^(?=.*\d)[\da-f-]{8,}$/i.test(word)
  return Array.from(word, (char, at) => {
    if (/\d/.test(char)) return digit(random, at === 0)
    const lower = char.toLowerCase()
    if (!/\p{L}/u.test(char)) return char
    const letters = isHex ? hexLetters : isVowel(lower) ? vowels : consonants
    const letter = pick(letters, random)
    return char === lower ? letter : letter.toUpperCase()
  }).join('')
}

function isVowel(letter: string): boolean {
  return vowels.includes(letter.normalize('NFD').charAt(0))
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
  text,
  scheme = '',
  header = '',
  payload = '',
  end = '',
]: RegExpExecArray): string {
  const signature = substituteWord(end, text)
  return `${scheme}${header}.${toBase64Url(JSON.stringify(substituteClaims(payload)))}.${signature}`
}

/** Claims without personal data (RFC 7519 §4.1), and claims by which clients decide, such as roles. */
const openClaims = new Set(['exp', 'iat', 'nbf', 'iss', 'aud', 'typ', 'role', 'roles', 'scope'])

function substituteClaims(payload: string): Json {
  const claims = parseJson(fromBase64(payload) ?? '')
  if (!isRecord(claims)) return {}
  const entries = Object.entries(claims).map(([name, value]) => [
    name,
    openClaims.has(name) ? value : substitute(value),
  ])
  return Object.fromEntries(entries) as Json
}
