import type { Answer, RenderContext } from '../dialects/dialect.ts'
import { headerOf, type HeaderList, type MockResponse } from './messages.ts'

/** How long the body of an answer stays right. */
export interface Validity {
  /** Whether it is what a GET would get, so that its entity tag holds. @default false */
  isCurrent?: boolean
  /** Its `Last-Modified`, where it has one. */
  modified?: string
}

/** How an answer is written. */
export interface Representing extends Validity {
  /** Spaces by which JSON is always indented; only for people where there are none. */
  indent: number | undefined
  /** For success; an error is never kept. */
  cacheControl: string
}

/** Turns an answer into text with its validators: indented for people, compact for programs. */
export function represent(
  answer: Answer,
  context: RenderContext,
  { indent, cacheControl, isCurrent = false, modified }: Representing,
): MockResponse {
  const { status, value, text, type = 'application/json; charset=utf-8' } = answer
  const kept = status < 400 ? cacheControl : 'no-store'
  const headers: HeaderList = [...answer.headers, ['Cache-Control', kept]]
  if (value === undefined) return { status, headers, body: null }
  const body = text ?? JSON.stringify(value, null, indent ?? (prefersHtml(context) ? 2 : 0))
  headers.push(['Content-Type', type])
  if (status < 300 && isCurrent) {
    headers.push(['ETag', entityTag(body)])
    if (modified !== undefined) headers.push(['Last-Modified', modified])
  }
  return { status, headers, body }
}

/** What was not written here says as well for how long it may be kept: not at all. */
export function withCacheControl(response: MockResponse): MockResponse {
  if (headerOf(response.headers, 'Cache-Control') !== undefined) return response
  return { ...response, headers: [...response.headers, ['Cache-Control', 'no-store']] }
}

/** Whether a person reads the answer: a browser that opens a page names HTML first. */
function prefersHtml({ headers }: RenderContext): boolean {
  return headers['accept']?.startsWith('text/html') ?? false
}

/** Whether the method only reads (RFC 9110 §9.2.1). */
export function isSafe(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'QUERY'
}

/** A strong entity tag (RFC 9110 §8.8.3): 53 bits of a hash of the text, the same everywhere. */
export function entityTag(text: string): string {
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    high = Math.imul(high ^ code, 2654435761)
    low = Math.imul(low ^ code, 1597334677)
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  const hash = 4294967296 * (2097151 & low) + (high >>> 0)
  return `"${text.length.toString(36)}-${hash.toString(36)}"`
}
