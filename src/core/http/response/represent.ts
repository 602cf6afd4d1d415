import type { Answer } from '../../dialects/contract/dialect.ts'
import { MockError } from '../../errors/mock-error.ts'
import { optionFor } from '../../fixtures/option-for.ts'
import type { JsonRecord } from '../../json/json.ts'
import type { Exchange } from '../contract/exchange.ts'
import { isBytes, type MockResponse, type HeaderList } from '../contract/messages.ts'
import { prefersHtml } from './accept.ts'
import { entityTag, toTagged } from './record-json.ts'

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
  if (value === undefined && text === undefined) {
    return { status, headers: [...answer.headers, toCacheLine(kept)], body: null }
  }
  const spaces = exchange.service.dialect.indent ?? (prefersHtml(exchange.headers) ? 2 : 0)
  const stored = spaces === 0 && validity?.stored === value ? validity?.stored : undefined
  const tagged = stored && text === undefined ? inOneText(() => toTagged(stored)) : undefined
  const body = text ?? tagged?.text ?? inOneText(() => JSON.stringify(value, null, spaces))
  const added: HeaderList = [
    toCacheLine(kept),
    answer.type === undefined ? jsonLine : ['Content-Type', answer.type],
  ]
  if (status < 300 && validity?.isCurrent) {
    added.push(['ETag', tagged?.tag ?? entityTag(body)])
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
  /** The stored record, or list of records, that the body has unchanged or with embedded ones. */
  stored?: JsonRecord | readonly JsonRecord[] | undefined
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
