import { isRecord } from '../json/json.ts'
import type { LogEntry } from '../log/log.ts'

/** Converts a logged request to a `curl` command for a POSIX shell, by which a user can send the request again. */
export function toCurl({ method, url, headers, body }: LogEntry, origin: string): string {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || transport.test(name) ? [] : [`-H ${quote(`${name}: ${value}`)}`],
  )
  const parts = [
    'curl',
    ...methodOption(method),
    quote(origin + url),
    // Otherwise, curl takes brackets in a URL for a range.
    ...(/[[\]{}]/.test(url) ? ['-g'] : []),
    ...lines,
    ...(body === undefined ? [] : [`-d ${quote(toText(body, headers))}`]),
  ]
  return parts.join(' ')
}

/** Headers that describe the connection or the client, and do not affect the response. */
const transport =
  /^(?:host|connection|content-length|accept-encoding|user-agent|sec-.*|keep-alive)$/

function methodOption(method: string): string[] {
  if (method === 'GET') return []
  if (method === 'HEAD') return ['-I']
  // Besides letters, a method can have characters that a shell interprets (RFC 9110 §5.6.2).
  return [`-X ${/^[A-Z]+$/.test(method) ? method : quote(method)}`]
}

/** Encodes a parsed body as JSON or as a urlencoded form; the log does not contain uploaded files. */
function toText(body: unknown, headers: LogEntry['headers']): string {
  if (!isRecord(body) || !headers['content-type']?.includes('urlencoded'))
    return JSON.stringify(body)
  const encode = (text: unknown): string =>
    encodeURIComponent(String(text)).replaceAll('%20', '+').replaceAll("'", '%27')
  return Object.entries(body)
    .flatMap(([name, value]) => [value].flat().map((one) => `${encode(name)}=${encode(one)}`))
    .join('&')
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
