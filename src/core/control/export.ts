import { isRecord } from '../json/json.ts'
import type { LogEntry } from '../log/log.ts'
import { phraseOf } from '../errors/status.ts'

/**
 * Matches the names of headers that a generated `curl` command leaves out: they describe the connection or
 * the client, and do not affect the response.
 */
const transport =
  /^(?:host|connection|content-length|accept-encoding|user-agent|sec-.*|keep-alive)$/

/** Converts a logged request to a `curl` command for a POSIX shell. */
export function toCurl({ method, url, headers, body }: LogEntry, origin: string): string {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || transport.test(name) ? [] : [`-H ${quote(`${name}: ${value}`)}`],
  )
  const parts = [
    'curl',
    ...(method === 'GET' ? [] : method === 'HEAD' ? ['-I'] : [`-X ${method}`]),
    quote(origin + url),
    ...lines,
    ...(body === undefined ? [] : [`-d ${quote(toText(body, headers))}`]),
  ]
  return parts.join(' ')
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

/** Converts the log to the HTTP Archive format (HAR) 1.2. */
export function toHar(log: readonly LogEntry[], origin: string): unknown {
  return {
    log: {
      version: '1.2',
      creator: { name: 'fixtura', version: '1' },
      entries: log.map((entry) => toHarEntry(entry, origin)),
    },
  }
}

function toHarEntry(
  { time, method, url, headers, body, status, ms, bytes, reason }: LogEntry,
  origin: string,
): unknown {
  const pairs = Object.entries(headers).map(([name, value]) => ({ name, value: value ?? '' }))
  const text = body === undefined ? undefined : toText(body, headers)
  return {
    startedDateTime: new Date(time).toISOString(),
    time: ms,
    request: {
      method,
      url: origin + url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs,
      queryString: [],
      headersSize: -1,
      // In bytes; -1 for a body without `Content-Length`, whose size is unknown.
      bodySize: Number(headers['content-length'] ?? (text === undefined ? 0 : -1)),
      ...(text !== undefined && {
        postData: { mimeType: headers['content-type'] ?? 'application/json', text },
      }),
    },
    response: {
      status,
      statusText: status === 0 ? '' : phraseOf(status),
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: [],
      content: { size: bytes, mimeType: '' },
      redirectURL: '',
      headersSize: -1,
      bodySize: bytes,
      comment: reason,
    },
    cache: {},
    timings: { send: 0, wait: ms, receive: 0 },
  }
}
