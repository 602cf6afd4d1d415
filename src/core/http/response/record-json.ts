import type { JsonRecord } from '../../json/json.ts'
import { type Embedding, embeddedIn } from '../../query/embed.ts'

/** The JSON text of a value, whether it is ASCII, and the entity tag (`ETag`) of this text. */
interface Tagged {
  text: string
  isAscii: boolean
  tag: string
}

/** The last text of a response, whose last step asks for the size of the text. */
let last: Tagged | undefined

/** Whether a text has more bytes in UTF-8 than characters; the test is cheaper than encoding. */
export function isWide(text: string): boolean {
  return last?.text === text ? !last.isAscii : /[\u0080-\uFFFF]/.test(text)
}

/**
 * Writes stored records as JSON, with a tag of their tags. The JSON of each record is cached by identity, as records
 * never change in place, so that a page is a concatenation; a record with embedded ones consists of their texts.
 */
export function toTagged(value: JsonRecord | readonly JsonRecord[]): Tagged {
  // A record that is requested alone is mostly not requested again, and the response cache has the others.
  if (!isList(value)) return (last = find(value) ?? toRecord(value, false))
  last = toWritten(value)
  return { ...last, tag: entityTag(last.tag) }
}

/** Writes a value; the tag of a list is the list of the tags. */
function toWritten(value: JsonRecord | readonly JsonRecord[] | null): Tagged {
  if (value === null) return { text: 'null', isAscii: true, tag: '' }
  if (!isList(value)) return find(value) ?? toRecord(value, true)
  const texts: string[] = []
  let isAscii = true
  let tag = '['
  for (const record of value) {
    const written = toWritten(record)
    texts.push(written.text)
    isAscii &&= written.isAscii
    tag += written.tag
  }
  return { text: `[${texts.join()}]`, isAscii, tag: `${tag}]` }
}

function isList(value: JsonRecord | readonly JsonRecord[]): value is readonly JsonRecord[] {
  return Array.isArray(value)
}

/** The most characters of JSON in each of the two parts of the cache. */
const limit = 2 ** 26

/** JSON texts by record. All mocks share the cache, because a text depends on the record alone. */
let cache = new WeakMap<JsonRecord, Tagged>()
let earlier = cache
let cachedChars = 0

function find(record: JsonRecord): Tagged | undefined {
  return cache.get(record) ?? earlier.get(record)
}

function toRecord(record: JsonRecord, isKept: boolean): Tagged {
  const parts = embeddedIn(record)
  if (parts) return withEmbedded(toWritten(parts.record), parts.embedded)
  const text = JSON.stringify(record)
  const entry = { text, isAscii: !isWide(text), tag: entityTag(text) }
  if (!isKept) return entry
  cachedChars += text.length
  if (cachedChars > limit) {
    earlier = cache
    cache = new WeakMap()
    cachedChars = text.length
  }
  cache.set(record, entry)
  return entry
}

/** Appends the texts of embedded records to the text of a record, which has no field of these names. */
function withEmbedded(record: Tagged, embedded: Embedding['embedded']): Tagged {
  let text = record.text.slice(0, -1)
  let { isAscii, tag } = record
  for (const [name, value] of embedded) {
    const inner = toWritten(value)
    text += `${text === '{' ? '' : ','}${JSON.stringify(name)}:${inner.text}`
    tag += inner.tag
    isAscii &&= inner.isAscii && !isWide(name)
  }
  return { text: `${text}}`, isAscii, tag: `${tag}}` }
}

/** The strong entity tag of a text (RFC 9110 §8.8.3): 62 bits of a hash that is equal on every runtime. */
export function entityTag(text: string): string {
  let high = 0xdeadbeef ^ text.length
  let low = 0x41c6ce57
  let at = 0
  // The loop is unrolled to four characters, two for each half: every response is hashed, and most are long.
  for (const end = text.length - 3; at < end; at += 4) {
    high = Math.imul(high ^ (text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16)), 2654435761)
    low = Math.imul(low ^ (text.charCodeAt(at + 2) | (text.charCodeAt(at + 3) << 16)), 1597334677)
    high ^= high >>> 15
    low ^= low >>> 15
  }
  for (; at < text.length; at++) {
    high = Math.imul(high ^ text.charCodeAt(at), 2654435761)
    low = Math.imul(low ^ high, 1597334677)
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  // Engines write small decimal integers faster than any other digits.
  return `"${high & 0x7fffffff}-${low & 0x7fffffff}"`
}
