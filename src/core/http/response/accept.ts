import { MockError } from '../../errors/mock-error.ts'
import type { MockRequest } from '../contract/messages.ts'

/**
 * Checks that the header `Accept` allows JSON, the only format of responses (RFC 9110 §12.5.1). A
 * missing header allows any format; `text/html` and JSON-based types (`+json`) count as JSON.
 * @throws MockError 406
 */
export function checkAccept(accept: string = ''): void {
  if (takesAnything(accept)) return
  const preferences = parsePreferences(accept)
  if (
    takesJson(preferences) ||
    preferences.some(({ name, quality }) => quality > 0 && asJson.test(name))
  ) {
    return
  }
  throw new MockError(
    `Failed to answer as "${accept}": the mock has only application/json. Please accept it.`,
    { status: 406, code: 'NOT_ACCEPTABLE' },
  )
}

/** Whether `Accept` needs no parsing: nearly every client accepts JSON or, in the end, anything. */
function takesAnything(accept: string): boolean {
  return (
    accept === '' ||
    accept === 'application/json' ||
    (accept.includes('*/*') && !accept.includes('q=0'))
  )
}

/** Whether a person reads the response: a browser that opens a page names HTML first in `Accept`. */
export function prefersHtml(headers: MockRequest['headers']): boolean {
  return headers['accept']?.startsWith('text/html') ?? false
}

/** Other types that JSON satisfies: its relatives, and HTML for a person who opens the URL. */
const asJson = /^(?:application\/[\w.-]+\+json|text\/(?:html|json|\*))$/

/** The quality that `Accept` gives to a type that it names explicitly, from 0 to 1. */
export function qualityOf(accept: string, type: string): number {
  const named = parsePreferences(accept).filter(({ name }) => name === type)
  return Math.max(0, ...named.map(({ quality }) => quality))
}

/** One item of an `Accept...` header, in lower case, with its quality (RFC 9110 §12.4.2). */
export interface Preference {
  name: string
  /** From 0, which refuses the item, to 1. */
  quality: number
}

/** Parses a header such as `Accept` or `Accept-Encoding`. */
export function parsePreferences(header: string): Preference[] {
  return header.split(',').map((text) => {
    const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
    const quality = parameters.find((one) => one.startsWith('q='))
    return { name, quality: quality === undefined ? 1 : Number(quality.slice(2)) }
  })
}

/** Whether JSON is accepted by the most specific range that includes it. */
function takesJson(preferences: readonly Preference[]): boolean {
  for (const range of ['application/json', 'application/*', '*/*']) {
    const found = preferences.filter(({ name }) => name === range)
    if (found.length > 0) return found.some(({ quality }) => quality > 0)
  }
  return false
}
