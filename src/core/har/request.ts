import { type LoggedExchange, isForm, type LoggedForm } from '../log/log.ts'
import { redacted, type Redactor } from '../log/redact.ts'
import { utf8Length } from '../text/utf8-length.ts'
import { fromBase64 } from '../text/base64.ts'
import { decodeParam } from '../url/pattern.ts'
import { redactCookies, toRequestCookies } from './cookies.ts'
import type { HarPair, HarParam, HarPostData, HarRequest } from './har.ts'
import { isJsonText, redactText } from './redact-body.ts'
import { decodeUtf8, toBinaryString } from '../text/binary-string.ts'

/** Converts a logged request to one of a HAR; without `redactedBodies`, bodies with secrets are left out. */
export function toHarRequest(
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
export function toVersion({ httpVersion = '1.1' }: LoggedExchange): string {
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
export function toBodyText(body: string | Uint8Array, type: string): BodyText {
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
