import type { Answer, RenderContext } from '../dialects/dialect.ts'
import type { HeaderList, MockResponse } from './messages.ts'

/** Turns an answer into text with its entity tag: indented for people, compact for programs. */
export function represent(
  answer: Answer,
  context: RenderContext,
  options: { indent: number | undefined; cacheControl: string },
): MockResponse {
  const headers: HeaderList = [...answer.headers, ['Cache-Control', options.cacheControl]]
  if (answer.value === undefined) return { status: answer.status, headers, body: null }
  const indent = options.indent ?? (prefersHtml(context.headers['accept']) ? 2 : 0)
  const body = answer.text ?? JSON.stringify(answer.value, null, indent)
  headers.push(['Content-Type', answer.type ?? 'application/json; charset=utf-8'])
  if (answer.status < 300 && isSafe(context.method)) headers.push(['ETag', entityTag(body)])
  return { status: answer.status, headers, body }
}

/** Whether a person reads the answer: a browser that opens a page names HTML first. */
function prefersHtml(accept: string | undefined): boolean {
  return accept !== undefined && accept.startsWith('text/html')
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
