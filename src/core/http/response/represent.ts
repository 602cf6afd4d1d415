import type { Answer, RenderContext } from '../../dialects/contract/dialect.ts'
import { MockError } from '../../errors/mock-error.ts'
import type { JsonRecord } from '../../json/json.ts'
import { entityTag } from './entity-tag.ts'
import { isBytes, type MockResponse } from '../contract/messages.ts'
import { prefersHtml } from './accept.ts'
import { toCacheLine, toResponse, toValidators } from './response.ts'
import { toList } from './record-json-cache.ts'

/** How long the body of an answer stays right. */
export interface Validity {
  /** Whether it is what a GET would get, so that its entity tag holds. @default false */
  isCurrent?: boolean
  /** Its `Last-Modified`, where it has one. */
  modified?: string | undefined
  /** The records of which it is a list, where it shows them as they are stored. */
  stored?: readonly JsonRecord[] | undefined
}

/** How an answer is written. */
export interface Representing {
  /** Spaces by which JSON is always indented; only for people where there are none. */
  indent: number | undefined
  /** For success; an error is never kept. */
  cacheControl: string
  validity: Validity | undefined
}

/** Turns an answer into text with its validators: indented for people, compact for programs. */
export function represent(
  answer: Answer,
  context: RenderContext,
  { indent, cacheControl, validity }: Representing,
): MockResponse {
  const { status, value, text } = answer
  const kept = status < 400 ? cacheControl : 'no-store'
  if (value === undefined) {
    return { status, headers: [...answer.headers, toCacheLine(kept)], body: null }
  }
  const spaces = indent ?? (prefersHtml(context.headers) ? 2 : 0)
  const stored = spaces === 0 && validity?.stored === value ? validity?.stored : undefined
  const list = stored && text === undefined ? inOneText(() => toList(stored)) : undefined
  const body = text ?? list?.text ?? inOneText(() => JSON.stringify(value, null, spaces))
  const validators =
    status < 300 && validity?.isCurrent
      ? toValidators(list?.tag ?? entityTag(body), validity.modified)
      : []
  return toResponse(answer, body, kept, validators)
}

/**
 * Writes what may be more than a text can hold, which is half a gigabyte in V8.
 * @throws MockError 400 when it is
 */
function inOneText<T>(write: () => T): T {
  try {
    return write()
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    throw new MockError(
      'Failed to answer: that is too long or too deep for one text. Please ask for a page, or for fewer relations.',
      { status: 400, code: 'ANSWER_TOO_LONG', cause },
    )
  }
}

/**
 * What was not written here alone: its own lines win over the usual ones behind them, the size of its
 * body is for the face to say (RFC 9112 §6), and it may not be kept where it does not say for how long.
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
