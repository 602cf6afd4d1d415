import type { JsonRecord } from '../../json/json.ts'
import { embeddings } from '../../query/embed.ts'

/** The JSON text of a value, whether it is ASCII, and the halves of a hash of it. */
interface Written {
  text: string
  isAscii: boolean
  high: number
  low: number
}

type Hash = Pick<Written, 'high' | 'low'>

/** The last text of a response, whose last step asks for the size of the text. */
let last: Written | undefined

/** Whether a text has more bytes in UTF-8 than characters; the test is cheaper than encoding. */
export function isWide(text: string): boolean {
  return last?.text === text ? !last.isAscii : /[\u0080-\uFFFF]/.test(text)
}

/**
 * Writes stored records as JSON, with the entity tag. The JSON and the hash of each record are cached by identity, as
 * records never change in place, so that a page is a concatenation, and its tag a hash of their hashes.
 */
export function toTagged(value: JsonRecord | readonly JsonRecord[]): { text: string; tag: string } {
  // A record that is requested alone is mostly not requested again, and the response cache has the others.
  last = isList(value) ? toList(value) : (find(value) ?? toRecord(value))
  return { text: last.text, tag: toTag(isList(value) ? finish(last) : last) }
}

function toList(list: readonly JsonRecord[]): Written {
  const written: Written = { text: '[', isAscii: true, high: 1, low: 1 }
  for (const item of toItems(list)) append(written, written.text === '[' ? '' : ',', item)
  written.text += ']'
  return written
}

/** Writes the records of a list; a record with embedded ones consists of their texts. */
function toItems(list: readonly JsonRecord[]): readonly Written[] {
  const embedding = embeddings.get(list)
  if (!embedding) return list.map(toKept)
  const relations = embedding.embedded.map(({ name, lists }) => {
    const key = `${JSON.stringify(name)}:`
    return { name, lists, key, isAscii: !isWide(key) }
  })
  return embedding.records.map((record, at) => {
    const written = { ...toKept(record) }
    written.text = written.text.slice(0, -1)
    for (const { name, lists, key, isAscii } of relations) {
      const related = lists[at] ?? []
      const isMany = Array.isArray(list[at]?.[name])
      const inner = isMany ? toList(related) : (toItems(related)[0] ?? nothing)
      append(written, written.text === '{' ? key : `,${key}`, inner)
      written.isAscii &&= isAscii
    }
    written.text += '}'
    return written
  })
}

const nothing: Written = { text: 'null', isAscii: true, high: 0, low: 0 }

function append(to: Written, separator: string, { text, isAscii, high, low }: Written): void {
  to.text += separator + text
  to.isAscii &&= isAscii
  // Without the multiplication, a record and an equal one inside of it would cancel each other out.
  to.high = mix(Math.imul(to.high, factors.low), high, factors.high)
  to.low = mix(Math.imul(to.low, factors.high), low, factors.low)
}

function isList(value: JsonRecord | readonly JsonRecord[]): value is readonly JsonRecord[] {
  return Array.isArray(value)
}

/** The most characters of JSON in each of the two parts of the cache. */
const limit = 2 ** 26

/** JSON texts by record. All mocks share the cache, because a text depends on the record alone. */
let cache = new WeakMap<JsonRecord, Written>()
let earlier = cache
let cachedChars = 0

function find(record: JsonRecord): Written | undefined {
  return cache.get(record) ?? earlier.get(record)
}

function toRecord(record: JsonRecord): Written {
  const text = JSON.stringify(record)
  return { text, isAscii: !isWide(text), ...hashOf(text) }
}

/** Writes a record of a list, and keeps the text. */
function toKept(record: JsonRecord): Written {
  const found = find(record)
  if (found) return found
  const entry = toRecord(record)
  cachedChars += entry.text.length
  if (cachedChars > limit) {
    earlier = cache
    cache = new WeakMap()
    cachedChars = entry.text.length
  }
  cache.set(record, entry)
  return entry
}

/** The strong entity tag of a text (RFC 9110 §8.8.3), which is equal on every runtime. */
export function entityTag(text: string): string {
  return toTag(hashOf(text))
}

/** The tag has 62 bits. Engines write small decimal integers faster than any other digits. */
function toTag({ high, low }: Hash): string {
  return `"${high & 0x7fffffff}-${low & 0x7fffffff}"`
}

function hashOf(text: string): Hash {
  let high = 0xdeadbeef ^ text.length
  let low = 0x41c6ce57
  let at = 0
  // The loop is unrolled to four characters, two for each half: every response is hashed, and most are long.
  for (const end = text.length - 3; at < end; at += 4) {
    high = mix(high, text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16), factors.high)
    low = mix(low, text.charCodeAt(at + 2) | (text.charCodeAt(at + 3) << 16), factors.low)
  }
  for (; at < text.length; at++) {
    high = Math.imul(high ^ text.charCodeAt(at), factors.high)
    low = Math.imul(low ^ high, factors.low)
  }
  return finish({ high, low })
}

/** Odd numbers that spread the bits of each half. */
const factors: Hash = { high: 2654435761, low: 1597334677 }

function mix(hash: number, other: number, factor: number): number {
  const mixed = Math.imul(hash ^ other, factor)
  return mixed ^ (mixed >>> 15)
}

/** Makes each half depend on both. */
function finish({ high, low }: Hash): Hash {
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  return { high, low }
}
