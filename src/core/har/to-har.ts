import { internalsOf, type MockInternals } from '../http/contract/internals.ts'
import type { AnyMock } from '../http/contract/any-mock.ts'
import type { LoggedExchange } from '../log/log.ts'
import { phraseOf } from '../errors/status.ts'
import { type HeaderList, headerOf, isBodiless } from '../http/contract/messages.ts'
import { toSentHeaders } from '../http/pipeline/complete.ts'
import type { Redactor } from '../log/redact.ts'
import { utf8Length } from '../text/utf8-length.ts'
import type { Har, HarContent, HarEntry, HarOptions, HarPair, HarResponse } from './har.ts'
import { toHarRequest, toVersion, toBodyText } from './request.ts'
import { redactSetCookie, toResponseCookie } from './cookies.ts'
import { redactText } from './redact-body.ts'

/**
 * Converts the log of a mock to an HTTP archive (HAR 1.2): the last requests and responses, with their bodies
 * and without secrets.
 * @example await writeFile('session.har', JSON.stringify(toHar(mock)))
 */
export function toHar(
  mock: AnyMock | MockInternals,
  { redactedBodies = true }: HarOptions = {},
): Har {
  const { exchanges, redactor } = internalsOf(mock, 'the mock of toHar')
  const toEntry = (exchange: LoggedExchange): HarEntry => {
    const { time, ms, headers } = exchange
    const target = headers['sec-fetch-dest'] ?? 'empty'
    return {
      startedDateTime: new Date(time).toISOString(),
      time: ms,
      request: toHarRequest(exchange, redactor, redactedBodies),
      response: toHarResponse(exchange, redactor),
      cache: {},
      timings: { send: 0, wait: ms, receive: 0 },
      _resourceType: target === 'empty' ? 'fetch' : target,
    }
  }
  const entries = exchanges()
    .toSorted((one, other) => one.time - other.time)
    .map(toEntry)
  return { log: { version: '1.2', creator: { name: 'fixtura', version }, entries } }
}

/** The version of the package, which a HAR names as its creator. */
export const version = '0.1.0'

/** Converts a logged response to one of a HAR; a dropped connection looks as in a HAR of Chromium. */
function toHarResponse(exchange: LoggedExchange, redactor: Redactor): HarResponse {
  const { status, reason, time, ms } = exchange
  const why = reason === '' ? {} : { comment: reason }
  if (status === 0) return { ...dropped, ...why }
  const lines = toLines(exchange)
  const redact = (line: HeaderList[number]): HarPair => redactLine(line, redactor)
  const location = status >= 300 && status < 400 ? headerOf(lines, 'Location') : undefined
  const content = toContent(exchange, headerOf(lines, 'Content-Type') ?? 'x-unknown', redactor)
  return {
    status,
    statusText: phraseOf(status),
    httpVersion: toVersion(exchange),
    cookies: lines
      .filter(([name]) => name.toLowerCase() === 'set-cookie')
      .map(([, value]) => toResponseCookie(value, time + ms)),
    headers: lines.map(redact),
    content,
    redirectURL: location === undefined ? '' : redact(['location', location]).value,
    headersSize: -1,
    bodySize: content.size,
    ...why,
  }
}

const dropped: HarResponse = {
  status: 0,
  statusText: '',
  httpVersion: '',
  cookies: [],
  headers: [],
  content: { size: 0, mimeType: 'x-unknown' },
  redirectURL: '',
  headersSize: -1,
  bodySize: -1,
  _error: 'net::ERR_EMPTY_RESPONSE',
}

/** Returns the headers as they were sent, with the length of a body that is no stream (RFC 9112 §6). */
function toLines(exchange: LoggedExchange): HeaderList {
  const lines = toSentHeaders(exchange)
  const { method, content, end, bytes } = exchange
  const isStream = end !== undefined || (content === undefined && bytes === 0)
  const isUnknown =
    isStream || isBodiless(exchange.status) || (content === null && method === 'HEAD')
  const length = Math.max(bytes, lengthOf(content))
  return isUnknown ? lines : [...lines, ['Content-Length', String(length)]]
}

function redactLine([name, value]: HeaderList[number], redactor: Redactor): HarPair {
  const lower = name.toLowerCase()
  if (lower === 'set-cookie') return { name, value: redactSetCookie(value) }
  return { name, value: redactor.redactHeaders({ [lower]: value })[lower] ?? '' }
}

function toContent(exchange: LoggedExchange, mimeType: string, redactor: Redactor): HarContent {
  const { method, content, end, bytes } = exchange
  if (content === null || method === 'HEAD' || isBodiless(exchange.status))
    return { size: 0, mimeType }
  if (content === undefined) {
    return bytes > 0
      ? { size: bytes, mimeType, comment: 'The log has no body.' }
      : { size: -1, mimeType, comment: 'The body is a stream.' }
  }
  const part = content.slice(0, end)
  const length = lengthOf(part)
  const size = Math.max(bytes, length)
  const { text, encoding } = toBodyText(part, mimeType === 'x-unknown' ? '' : mimeType)
  const isBroken = part.length < content.length
  const comment = isBroken
    ? `The connection broke after ${length} of ${lengthOf(content)} bytes.`
    : typeof part !== 'string' && length < size && `The first ${length} of ${size} bytes.`
  return {
    size,
    mimeType,
    text: encoding ? text : redactText(text, mimeType, redactor),
    ...(encoding && { encoding }),
    ...(comment !== false && { comment }),
  }
}

/** Returns the length of a body in bytes. */
function lengthOf(body: LoggedExchange['content']): number {
  return typeof body === 'string' ? utf8Length(body) : (body?.length ?? 0)
}
