import { isIpv4 } from '../../formats/addresses.ts'
import { addToMultimap } from '../../structures/add-to-multimap.ts'
import { toBase64Url } from '../../text/base64.ts'
import { substituteText } from './substitute.ts'

/**
 * Collects private texts, and replaces them wherever they stand in other texts: in messages and URLs, in JSON inside
 * of a text, and credentials in base64. Replacing takes time in proportion to the text.
 */
export function createKnownTexts(): KnownTexts {
  /** The needles by their first characters. */
  const needles = new Map<string, Needle[]>()
  const known = new Set<string>()
  const firstCodes = new Set<number>()

  function addNeedle(needle: Needle): void {
    const key = needle.text.slice(0, keyLength)
    if (key.length < keyLength) return
    addToMultimap(needles, key, needle)
    firstCodes.add(key.charCodeAt(0))
  }

  /** Finds the longest needle at a place of a text. */
  function find(text: string, at: number): Needle | undefined {
    if (!firstCodes.has(text.charCodeAt(at))) return undefined
    let best: Needle | undefined
    for (const needle of needles.get(text.slice(at, at + keyLength)) ?? []) {
      const isLonger = needle.text.length > (best?.text.length ?? 0)
      if (isLonger && text.startsWith(needle.text, at) && fits(needle, text, at)) best = needle
    }
    return best
  }

  return {
    addSecret(text) {
      if (known.has(text) || !isDistinctive(text) || isBroken(text)) return
      known.add(text)
      for (const form of formsOf(text)) addNeedle({ ...form, place: 'anywhere' })
      for (const core of base64CoresOf(text)) {
        addNeedle({ text: core, substitute: '', place: 'base64' })
      }
    },
    addPersonal(text) {
      if (known.has(text) || isIpv4(text) || isBroken(text)) return
      const isName = /^\p{Lu}[\p{L}'’-]{3,}$/u.test(text)
      if (!isName && (text.length < 5 || !/[@\s\d]/.test(text))) return
      known.add(text)
      for (const form of formsOf(text)) addNeedle({ ...form, place: 'word' })
    },
    has: (text) => known.has(text),
    replace(text, isBase64 = false) {
      if (needles.size === 0) return text
      let replaced = ''
      let end = 0
      for (let at = 0; at + keyLength <= text.length; at++) {
        const needle = find(text, at)
        if (!needle) continue
        const isInside = needle.place === 'base64' && !isBase64
        const [from, to] = isInside ? wordAround(text, at, end) : [at, at + needle.text.length]
        const substitute = needle.substitute || substituteText(text.slice(from, to))
        replaced += text.slice(end, from) + substitute
        end = to
        at = to - 1
      }
      return end === 0 ? text : replaced + text.slice(end)
    },
  }
}

/** The private texts of a recording. */
export interface KnownTexts {
  /** Adds a credential, which is replaced anywhere; a short or usual word is ignored. */
  addSecret(text: string): void
  /** Adds a personal text, which is replaced as whole words; a short word without a capital is ignored. */
  addPersonal(text: string): void
  /** Whether a whole text is a known one. */
  has(text: string): boolean
  /** Replaces the known texts in a text; `isBase64` says that the text is the base64 of a file. */
  replace(text: string, isBase64?: boolean): string
}

interface Needle {
  text: string
  /** An empty text is replaced by a substitute of the matched characters. */
  substitute: string
  place: 'anywhere' | 'word' | 'base64'
}

/** The number of characters by which needles are found; shorter texts are no needles. */
const keyLength = 4

function fits({ text, place }: Needle, whole: string, at: number): boolean {
  if (place === 'anywhere' || place === 'base64') return true
  const isStart = !isWordCharacter(whole[at - 1]) || /%[\dA-F]{2}$/i.test(whole.slice(at - 3, at))
  return isStart && !isWordCharacter(whole[at + text.length])
}

function isWordCharacter(character = ''): boolean {
  return /[\p{L}\p{N}]/u.test(character)
}

/** Returns the limits of the base64 text around an index, not before `start`. */
function wordAround(text: string, index: number, start: number): [from: number, to: number] {
  let from = index
  let to = index
  while (from > start && isBase64Character(text[from - 1])) from--
  while (isBase64Character(text[to])) to++
  return [from, to]
}

function isBase64Character(character = ''): boolean {
  return /[\w+=-]/.test(character)
}

/** Whether a text has half of a pair of surrogates, which no URL can have. */
function isBroken(text: string): boolean {
  return /[\uD800-\uDFFF]/u.test(text)
}

/** Whether a credential is no word that other texts have by chance. */
function isDistinctive(text: string): boolean {
  if (text.length < 6) return false
  return text.length >= 16 || !/^(?:[A-Z]?[a-z]+|[A-Z]+)(?:[ _][A-Za-z]+)?$/.test(text)
}

/** Returns a text as it stands in a text, in a URL and in JSON inside of a text, each with its substitute. */
function formsOf(text: string): Pick<Needle, 'text' | 'substitute'>[] {
  const substitute = substituteText(text)
  const writings = [String, encodeURIComponent, (one: string) => JSON.stringify(one).slice(1, -1)]
  const forms = writings.map((write) => ({ text: write(text), substitute: write(substitute) }))
  return forms.filter((form, at) => forms.findIndex((other) => other.text === form.text) === at)
}

/** Returns the characters that the base64 of every text with the credential has, for each place of its first byte. */
function base64CoresOf(text: string): string[] {
  const cores = [0, 1, 2].flatMap((offset) => {
    const encoded = toBase64Url(' '.repeat(offset) + text)
    const bytes = Math.floor((encoded.length * 6) / 8)
    const core = encoded.slice(Math.ceil((offset * 8) / 6), Math.floor((bytes * 8) / 6))
    return [core, core.replaceAll('-', '+').replaceAll('_', '/')]
  })
  return [...new Set(cores)].filter((core) => core.length >= 7)
}
