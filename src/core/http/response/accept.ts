import { MockError } from '../../errors/mock-error.ts'
import type { MockRequest } from '../contract/messages.ts'

/**
 * Checks that `Accept` allows JSON, the only format (RFC 9110 §12.5.1); `text/html` and `+json` count as JSON.
 * @throws MockError 406
 */
export function checkAccept(accept: string = ''): void {
  if (takesAnything(accept)) return
  const preferences = parsePreferences(accept)
  const { quality, isNamed } = qualityOf(preferences, 'application/json')
  const takesRelative = (): boolean =>
    preferences.some((one) => one.quality > 0 && asJson.test(one.name))
  if (quality > 0 || (!isNamed && takesRelative())) return
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
    (accept.includes('*/*') && !/q=0/i.test(accept))
  )
}

/** Other types that JSON satisfies: its relatives, and HTML for a person who opens the URL. */
const asJson = /^(?:application\/[\w.-]+\+json|text\/(?:html|json|\*))$/

/** Whether a person reads the response: a browser that opens a page prefers HTML to JSON. */
export function prefersHtml({ accept }: MockRequest['headers']): boolean {
  return accept !== undefined && leadOf('text/html', accept) > 0
}

/** Whether `Accept` names server-sent events and does not prefer JSON to them. */
export function acceptsEvents({ accept }: MockRequest['headers']): boolean {
  return accept !== undefined && leadOf('text/event-stream', accept) >= 0
}

/** By how much a type's quality exceeds that of JSON; negative if `Accept` does not name or refuses the type. */
function leadOf(type: string, accept: string): number {
  if (!accept.toLowerCase().includes(type)) return -1
  const preferences = parsePreferences(accept)
  const own = qualityOf(preferences, type)
  const json = qualityOf(preferences, 'application/json')
  if (!own.isNamed || own.quality === 0) return -1
  return own.quality === json.quality && !json.isNamed ? 1 : own.quality - json.quality
}

/** Returns the quality of a media type, which the most specific range that includes the type decides. */
function qualityOf(
  preferences: readonly Preference[],
  type: string,
): { quality: number; isNamed: boolean } {
  for (const range of [type, type.replace(/\/.*/, '/*'), '*/*']) {
    const found = preferences.filter(({ name }) => name === range)
    if (found.length > 0) {
      return {
        quality: Math.max(...found.map(({ quality }) => quality)),
        isNamed: range === type,
      }
    }
  }
  return { quality: 0, isNamed: false }
}

/** One item of an `Accept...` header, in lower case, with its quality (RFC 9110 §12.4.2). */
export interface Preference {
  name: string
  /** From 0, which refuses the item, to 1. */
  quality: number
}

/** Parses a header such as `Accept` or `Accept-Encoding`; a malformed quality counts as 1. */
export function parsePreferences(header: string): Preference[] {
  return header.split(',').map((text) => {
    const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
    const weight = parameters.find((one) => one.startsWith('q='))?.slice(2)
    const quality = weight !== undefined && /^\d*\.?\d+$|^\d+\.$/.test(weight) ? Number(weight) : 1
    return { name, quality: Math.min(quality, 1) }
  })
}
