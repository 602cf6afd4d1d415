import { internalsOf, type MockInternals } from '../http/contract/internals.ts'
import type { AnyMock } from '../http/contract/any-mock.ts'
import { type LoggedExchange, isForm, type LoggedForm } from '../log/log.ts'
import { phraseOf } from '../errors/status.ts'
import { type HeaderList, headerOf, isBodiless } from '../http/contract/messages.ts'
import { toSentHeaders } from '../http/pipeline/complete.ts'
import { type Redactor, redacted } from '../log/redact.ts'
import { utf8Length } from '../text/utf8-length.ts'
import type {
  Har,
  HarContent,
  HarEntry,
  HarOptions,
  HarPair,
  HarResponse,
  HarParam,
  HarPostData,
  HarRequest,
  HarCookie,
} from './har.ts'
import { redactText, isJsonText } from './redact-body.ts'
import { fromBase64 } from '../text/base64.ts'
import { decodeParam } from '../url/pattern.ts'
import { decodeUtf8, toBinaryString } from '../text/binary-string.ts'
import { ownValue } from '../json/json.ts'

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

/** Converts a logged request to one of a HAR; without `redactedBodies`, bodies with secrets are left out. */
function toHarRequest(
  exchange: LoggedExchange,
  redactor: Redactor,
  redactedBodies: boolean,
): HarRequest {
  const { method, origin, headers } = exchange
  const target = encodeRedacted(redactor.redactUrl(exchange.url))
  const queryStart = target.indexOf('?')
  const { postData, bodySize, comment, isRedacted } = toRequestBody(exchange, redactor)
  return {
    method,
    url: origin + target,
    httpVersion: toVersion(exchange),
    cookies: toRequestCookies(headers['cookie']),
    headers: toPairs(exchange, redactor),
    queryString: queryStart < 0 ? [] : toParams(target.slice(queryStart + 1)),
    ...(postData && (redactedBodies || !isRedacted) && { postData }),
    headersSize: -1,
    bodySize,
    ...(comment !== undefined && { comment }),
  }
}

/** The version of HTTP; exchanges of faces without a connection have the usual version. */
function toVersion({ httpVersion = '1.1' }: LoggedExchange): string {
  return `HTTP/${httpVersion}`
}

function toPairs({ headers }: LoggedExchange, redactor: Redactor): HarPair[] {
  const shown = redactor.redactHeaders(headers)
  if (headers['cookie'] !== undefined) shown['cookie'] = redactCookies(headers['cookie'])
  return Object.entries(shown).map(([name, value]) => ({ name, value }))
}

/** Describes the body of a logged request for a HAR: its size and its redacted text, or why there is none. */
function toRequestBody(exchange: LoggedExchange, redactor: Redactor): RequestBody {
  const { received, headers, status } = exchange
  const stated = statedSize(exchange)
  const type = headers['content-type'] ?? ''
  if (received === undefined) {
    return stated === 0 ? { bodySize: 0 } : { bodySize: stated, comment: 'The log has no body.' }
  }
  if (isForm(received)) return { bodySize: stated || -1, ...toMultipart(received, type, redactor) }
  const { text, encoding } = toBodyText(received, type)
  if (text === '') return { bodySize: 0 }
  const size = typeof received === 'string' ? utf8Length(received) : received.length
  const bodySize = Math.max(stated, size)
  const isExcerpt = bodySize > size
  const isJson = encoding === undefined && isJsonText(text, type)
  // Secrets cannot be found in JSON with a wrong syntax.
  if (isJson && (isExcerpt ? status === 400 : !isParsable(text))) {
    return { bodySize, comment: 'The body is left out, because it is no JSON.' }
  }
  const isUrlencoded = type.includes('urlencoded')
  const redacted = encoding ? text : redactText(text, type, redactor)
  const shown = isUrlencoded ? encodeRedacted(redacted) : redacted
  const postData: HarPostData = {
    mimeType: type,
    text: shown,
    ...(encoding && { encoding }),
    ...(isUrlencoded && { params: toParams(shown) }),
    ...(isExcerpt && { comment: `The first ${size} of ${bodySize} bytes.` }),
  }
  return { bodySize, postData, isRedacted: redacted !== text }
}

interface RequestBody {
  /** In bytes; -1 if unknown. */
  bodySize: number
  postData?: HarPostData
  /** Why there is no `postData`. */
  comment?: string
  /** Whether secrets in `postData` were redacted. */
  isRedacted?: boolean
}

/** Returns the size of the body by the headers, in bytes; -1 if unknown. */
function statedSize({ method, headers }: LoggedExchange): number {
  const length = Number(headers['content-length'])
  if (Number.isInteger(length)) return length
  if (method === 'GET' || method === 'HEAD') return 0
  return (headers['transfer-encoding'] ?? headers['content-type']) ? -1 : 0
}

function isParsable(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** A multipart form as a HAR has it: fields and files and, without files, the text that a browser sends. */
function toMultipart(
  form: LoggedForm,
  type: string,
  redactor: Redactor,
): { postData: HarPostData; isRedacted: boolean } {
  const redacted = form.map(([name, value]): LoggedForm[number] => {
    const { [name]: shown } = redactor.redactBody({ [name]: value }) as Record<string, typeof value>
    return [
      name,
      typeof shown === 'string' ? redactText(shown, 'text/plain', redactor) : (shown ?? ''),
    ]
  })
  const boundary = /boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(type)
  const text = toText(redacted, boundary?.[1] ?? boundary?.[2] ?? '')
  return {
    postData: {
      mimeType: type,
      params: redacted.map(toParam),
      ...(text !== undefined && { text }),
    },
    isRedacted: redacted.some(([, value], index) => value !== form[index]?.[1]),
  }
}

/** Converts a field or a file to a parameter; a file has its content if that is text. */
function toParam([name, value]: LoggedForm[number]): HarParam {
  if (typeof value === 'string') return { name, value }
  const text = fromBase64(value.url.slice(value.url.indexOf(',') + 1))
  return {
    name,
    fileName: value.name,
    contentType: value.type,
    ...(text === undefined ? { comment: `${value.size} bytes` } : { value: text }),
  }
}

/** Writes a form as a browser sends it (HTML, "multipart/form-data"); undefined for a form with files. */
function toText(form: LoggedForm, boundary: string): string | undefined {
  const parts = form.map(([name, value]) =>
    typeof value === 'string'
      ? `--${boundary}\r\nContent-Disposition: form-data; name="${escape(name)}"\r\n\r\n${value}\r\n`
      : undefined,
  )
  return parts.includes(undefined) ? undefined : `${parts.join('')}--${boundary}--\r\n`
}

/** Escapes the characters that browsers escape in the name of a field. */
function escape(name: string): string {
  return name.replaceAll(/["\r\n]/g, encodeURIComponent)
}

/** Parses a query without its question mark, or a urlencoded form, for a HAR. */
function toParams(text: string): HarPair[] {
  return text
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const equals = part.indexOf('=')
      return equals < 0
        ? { name: decodeParam(part), value: '' }
        : { name: decodeParam(part.slice(0, equals)), value: decodeParam(part.slice(equals + 1)) }
    })
}

/** Percent-encodes the replacement of secrets: brackets are no part of a query (RFC 3986 §3.4). */
function encodeRedacted(text: string): string {
  return text.replaceAll(redacted, encodeURIComponent(redacted))
}

/** Converts a body for a HAR: UTF-8 bytes of a textual media type as text, others as base64. */
function toBodyText(body: string | Uint8Array, type: string): BodyText {
  if (typeof body === 'string') return { text: body }
  const binary = toBinaryString(body)
  const text = textual.test(type) ? decodeStart(binary) : undefined
  return text === undefined ? { text: btoa(binary), encoding: 'base64' } : { text }
}

/** The text of a body, and the encoding in which a HAR holds it. */
interface BodyText {
  text: string
  encoding?: 'base64'
}

// Every supported runtime has the global function `btoa`, which the core's TypeScript libraries leave out.
declare function btoa(binary: string): string

const textual = /^text\/|json|xml|javascript|urlencoded|graphql|yaml|^$/i

/** Decodes UTF-8 that may end within a character, whose first bytes are left out. */
function decodeStart(binary: string): string | undefined {
  const incomplete = /[\xC0-\xFF][\x80-\xBF]{0,2}$/.exec(binary)
  const text = decodeUtf8(binary)
  return text === undefined && incomplete ? decodeUtf8(binary.slice(0, incomplete.index)) : text
}

/** Converts a `Cookie` header to the cookies of a HAR, with redacted values. */
function toRequestCookies(header = ''): HarCookie[] {
  return header
    .split(';')
    .map((pair) => pair.split('=', 1)[0]?.trim() ?? '')
    .filter((name) => name !== '')
    .map((name) => ({ name, value: redacted }))
}

/** Redacts the values in a `Cookie` header. */
function redactCookies(header: string): string {
  return toRequestCookies(header)
    .map(({ name, value }) => `${name}=${value}`)
    .join('; ')
}

/** Redacts the value in a `Set-Cookie` header; an empty value, which deletes the cookie, stays. */
function redactSetCookie(line: string): string {
  const [pair = ''] = line.split(';', 1)
  const start = pair.indexOf('=') + 1
  return pair.slice(start).trim() === ''
    ? line
    : pair.slice(0, start) + redacted + line.slice(pair.length)
}

/** Converts a `Set-Cookie` header to a redacted cookie of a HAR; `time` is that of the response. */
function toResponseCookie(line: string, time: number): HarCookie {
  const [pair = '', ...rest] = redactSetCookie(line).split(';')
  const cookie: HarCookie = toPair(pair)
  for (const part of rest) {
    const { name, value } = toPair(part)
    Object.assign(cookie, ownValue(attributes, name.toLowerCase())?.(value, time))
  }
  return cookie
}

/** The attributes of `Set-Cookie` that a HAR has, by lower-case name (RFC 6265 §5.2). */
const attributes: Readonly<
  Record<string, (value: string, time: number) => Partial<HarCookie> | undefined>
> = {
  path: (path) => ({ path }),
  domain: (domain) => ({ domain }),
  httponly: () => ({ httpOnly: true }),
  secure: () => ({ secure: true }),
  samesite: (sameSite) => ({ sameSite }),
  expires: (value) => toExpiry(Date.parse(value)),
  'max-age': (value, time) => toExpiry(time + Number(value) * 1000),
}

function toPair(text: string): { name: string; value: string } {
  const equals = text.indexOf('=')
  return equals < 0
    ? { name: text.trim(), value: '' }
    : { name: text.slice(0, equals).trim(), value: text.slice(equals + 1).trim() }
}

/** Returns the expiry in ISO 8601; undefined for a time that a date cannot have. */
function toExpiry(time: number): Pick<HarCookie, 'expires'> | undefined {
  const date = new Date(time)
  return Number.isNaN(date.getTime()) ? undefined : { expires: date.toISOString() }
}
