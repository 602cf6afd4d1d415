import type { Answer, RenderContext } from '../../dialects/contract/dialect.ts'
import { MockError } from '../../errors/mock-error.ts'
import type { JsonRecord } from '../../json/json.ts'
import { entityTag } from './entity-tag.ts'
import { isBytes, type MockResponse } from '../contract/messages.ts'
import { prefersHtml } from './accept.ts'
import { toCacheLine, toResponse, toValidators } from './response.ts'
import { toList } from './record-json-cache.ts'

/**
 * Writes the answer of a dialect as JSON with its validators (`ETag`, `Last-Modified`, RFC 9110 §8.8): indented
 * for people, compact for programs.
 */
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

/** Options of {@link represent}. */
export interface Representing {
  /** The indentation of JSON in spaces; undefined indents only for browsers that open the URL. */
  indent: number | undefined
  /** The `Cache-Control` of a success; errors are `no-store`. */
  cacheControl: string
  validity: Validity | undefined
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

/**
 * Runs a function that builds a string, which V8 limits to half a gigabyte.
 * @throws MockError 400 when the string is too long
 */
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
