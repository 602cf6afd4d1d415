import { decodeParam } from '../url/pattern.ts'
import { redacted } from '../log/redact.ts'
import type { HarPair } from './har.ts'

/**
 * Parses the parameters of a query without its question mark, or the fields of a urlencoded form, for a HAR.
 */
export function toParams(text: string): HarPair[] {
  return text
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const at = part.indexOf('=')
      return at < 0
        ? { name: decodeParam(part), value: '' }
        : { name: decodeParam(part.slice(0, at)), value: decodeParam(part.slice(at + 1)) }
    })
}

/** Percent-encodes the replacement of secrets: brackets are no part of a query (RFC 3986 §3.4). */
export function encodeRedacted(text: string): string {
  return text.replaceAll(redacted, encodeURIComponent(redacted))
}
