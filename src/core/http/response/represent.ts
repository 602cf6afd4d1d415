import type { Answer } from '../../dialects/contract/dialect.ts'
import { MockError } from '../../errors/mock-error.ts'
import { optionFor } from '../../fixtures/option-for.ts'
import type { JsonRecord } from '../../json/json.ts'
import type { Exchange } from '../contract/exchange.ts'
import { isBytes, type MockResponse, type HeaderList } from '../contract/messages.ts'
import { prefersHtml } from './accept.ts'

/**
 * Writes an answer as JSON: indented for people, compact for programs. It has validators only where `validity` says
 * that it is current; an error is `no-store`.
 */
export function represent(
  exchange: Exchange,
  answer: Answer,
  validity?: Validity,
  cacheControl: string = optionFor(
    exchange.service.cacheControl,
    exchange.target?.resource.name ?? '',
    'no-cache',
  ),
): MockResponse {
  const { status, value, text } = answer
  const kept = status < 400 ? cacheControl : 'no-store'
  if (value === undefined) {
    return { status, headers: [...answer.headers, toCacheLine(kept)], body: null }
  }
  const spaces = exchange.service.dialect.indent ?? (prefersHtml(exchange.headers) ? 2 : 0)
  const stored = spaces === 0 && validity?.stored === value ? validity?.stored : undefined
  const list = stored && text === undefined ? inOneText(() => toList(stored)) : undefined
  const body = text ?? list?.text ?? inOneText(() => JSON.stringify(value, null, spaces))
  const added: HeaderList = [
    toCacheLine(kept),
    answer.type === undefined ? jsonLine : ['Content-Type', answer.type],
  ]
  if (status < 300 && validity?.isCurrent) {
    added.push(['ETag', list?.tag ?? entityTag(body)])
    if (validity.modified !== undefined) added.push(['Last-Modified', validity.modified])
  }
  // Unlike `push`, `concat` allocates no spare capacity, which the response cache would hold on to.
  return { status, headers: answer.headers.concat(added), body }
}

/** The facts from which `represent` makes the validators of a response. */
export interface Validity {
  /** Whether a GET would respond with the same body, so that the entity tag is valid. @default false */
  isCurrent?: boolean
  /** The `Last-Modified`, if known. */
  modified?: string | undefined
  /** The stored records that the body lists unchanged. */
  stored?: readonly JsonRecord[] | undefined
}

/** Builds a string, which V8 limits to half a gigabyte. @throws MockError 400 when it is too long */
function inOneText<T>(write: () => T): T {
  try {
    return write()
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    throw new MockError(
      'Failed to answer: the response is too long or too deep for one string. Please request a page, or fewer relations.',
      { status: 400, code: 'ANSWER_TOO_LONG', cause },
    )
  }
}

/**
 * Completes the response of a hook: its own headers win over the defaults behind them, the face sets the
 * length of the body (RFC 9112 §6), and it is `no-store` unless it has a `Cache-Control`.
 */
export function asGiven(response: MockResponse): MockResponse {
  const { headers, body } = response
  const isWhole = body === null || typeof body === 'string' || isBytes(body)
  const seen = new Set(isWhole ? ['content-length', 'transfer-encoding'] : [])
  const kept = [...headers, toCacheLine('no-store')].filter(([written]) => {
    const name = written.toLowerCase()
    if (!/^(?:cache-control|content-(?:length|type)|transfer-encoding)$/.test(name)) return true
    return !seen.has(name) && seen.add(name)
  })
  return { ...response, headers: kept }
}

// Shared by nearly all cached responses.
const jsonLine: HeaderList[number] = ['Content-Type', 'application/json; charset=utf-8']
const usualLine: HeaderList[number] = ['Cache-Control', 'no-cache']

function toCacheLine(value: string): HeaderList[number] {
  return value === usualLine[1] ? usualLine : ['Cache-Control', value]
}

/**
 * Writes a list of stored records with a tag of their tags. Their JSON is cached by identity, as they never
 * change in place: pages that share records are written in a tenth of the time.
 */
function toList(records: readonly JsonRecord[]): Tagged {
  const all = records.map(toTagged)
  return {
    text: `[${all.map(({ text }) => text).join()}]`,
    tag: entityTag(all.map(({ tag }) => tag).join()),
  }
}

/** The JSON text of a record or of a list of records, and the entity tag (`ETag`) of this text. */
interface Tagged {
  text: string
  tag: string
}

/** The most characters of JSON in the cache. When full, it starts anew after 3 times the limit has missed. */
const limit = 2 ** 24

/** JSON texts by record. All mocks share the cache, because a text depends on the record alone. */
let cache = new WeakMap<JsonRecord, Tagged>()
let cachedChars = 0

function toTagged(record: JsonRecord): Tagged {
  const cached = cache.get(record)
  if (cached) return cached
  const text = JSON.stringify(record)
  const entry = { text, tag: entityTag(text) }
  cachedChars += text.length
  if (cachedChars > limit * 4) {
    cache = new WeakMap()
    cachedChars = 0
  }
  if (cachedChars <= limit) cache.set(record, entry)
  return entry
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
