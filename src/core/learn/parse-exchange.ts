import { type HeaderList, headerOf } from '../http/contract/messages.ts'
import { define, type Json, tryJson } from '../json/json.ts'
import { parseParams } from '../url/params.ts'
import { splitUri } from '../url/uri.ts'

/** Parses a recorded request and its response for the learner; undefined for a relative URL or an invalid encoding. */
export function parseExchange(exchange: RecordedExchange): ParsedExchange | undefined {
  const address = toAddress(exchange.url)
  if (!address) return undefined
  const path = withoutFinalSlashes(address.path)
  try {
    const segments = path.split('/').slice(1).map(decodeURIComponent).flatMap(splitKey)
    const type = headerOf(exchange.headers, 'Content-Type') ?? ''
    const { body = '', base64, requestBody = '', requestHeaders } = exchange
    const json = isMaybeJson(type) ? tryJson(body) : undefined
    return {
      at: exchange.startedAt,
      origin: address.origin,
      method: exchange.method.toUpperCase(),
      path,
      isSlashed: path !== address.path,
      segments: segments.length === 1 && segments[0] === '' ? [] : segments,
      query: parseParams(address.search),
      sent: parseSent(requestBody, headerOf(requestHeaders, 'Content-Type') ?? ''),
      status: exchange.status,
      headers: exchange.headers.filter(([name]) => keptHeaders.test(name)),
      json,
      file: json === undefined ? toFile(body, base64) : undefined,
      isEmpty: body === '' && base64 === undefined,
    }
  } catch {
    return undefined
  }
}

/** A request to a real API and its response, as recorded: bodies are text. */
export interface RecordedExchange {
  /** When the request was sent, in milliseconds since 1970. */
  startedAt: number
  method: string
  /** The absolute URL of the request to the real API. */
  url: string
  requestHeaders: HeaderList
  /** Undefined for a request without a body, or with a body that is no text. */
  requestBody: string | undefined
  status: number
  headers: HeaderList
  /** The decoded body of the response; undefined for no body, and for a body that is no text. */
  body: string | undefined
  /** The decoded body of the response in base64, if the body is no text. */
  base64?: string
}

/** A recorded exchange, parsed for the learner, without the headers that may contain credentials. */
export interface ParsedExchange {
  /** When the request was sent, in milliseconds since 1970. */
  at: number
  /** The scheme and the authority of the URL in lower case: `https://api.example.com`. */
  origin: string
  method: string
  /** The path of the URL without a final slash: `/api/posts`. */
  path: string
  /** Whether the path of the request ends with a slash. */
  isSlashed: boolean
  segments: readonly string[]
  query: readonly Param[]
  /** The body of the request: JSON, the fields of a form, or a text. */
  sent: Json | undefined
  status: number
  headers: HeaderList
  /** The JSON of the response; undefined for another body. */
  json: Json | undefined
  /** The body of a response that is no JSON. */
  file?: RecordedFile | undefined
  /** Whether the response has no body at all. */
  isEmpty: boolean
  /** Whether the request has no credentials. */
  isAnonymous?: boolean
  /** A check of the passwords in the body of the request, which many passwords share. */
  check?: string | undefined
  /** Digests of the credentials that the request carries, and of those that the response gives; no file has them. */
  carried?: readonly CredentialNote[]
  granted?: readonly CredentialNote[]
  /** The parts that a conversion to plain records has replaced. */
  document?: Pick<ParsedExchange, 'json' | 'sent' | 'query'>
  /** Whether the exchange stands for a record that another response includes. */
  isPart?: true
  /** The user who asks, among those who log in in the recording; undefined without a login. */
  viewer?: number
}

/**
 * A digest of a credential, which begins with its check, and its place: `Bearer`, `cookie sid`, or the path in JSON:
 * `["user","token"]`.
 */
export type CredentialNote = readonly [place: string, digest: string]

/** A body that is no JSON: a text, or the bytes in base64. */
export type RecordedFile = { text: string } | { base64: string }

function toFile(text: string, base64: string | undefined): RecordedFile | undefined {
  if (base64 !== undefined) return { base64 }
  return text === '' ? undefined : { text }
}

/** A name and a value: of a parameter or a header. */
export type Param = readonly [name: string, value: string]

/** Whether a status is a success (RFC 9110 §15.3). */
export function isSuccess({ status }: Pick<ParsedExchange, 'status'>): boolean {
  return status >= 200 && status < 300
}

/** Compares exchanges by time, then by content, so that the order in which they were added does not matter. */
export function compareExchanges(left: ParsedExchange, right: ParsedExchange): number {
  return left.at - right.at || compareTexts(contentOf(left), contentOf(right))
}

function contentOf({ method, path, query, sent, status, json, file }: ParsedExchange): string {
  return JSON.stringify([method, path, query, sent, status, json, file])
}

/** Writes parameters as the query of a URL, without the question mark. */
export function toSearch(query: readonly Param[]): string {
  return query.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')
}

/** Compares texts by code unit. */
export function compareTexts(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}

/** The parts of a URL, without credentials and fragment. */
export interface Address {
  /** Scheme and authority in lower case: `https://api.example.com`. */
  origin: string
  path: string
  search: string
}

/** Splits an absolute HTTP URL into origin, path and query; returns undefined for any other text. */
export function toAddress(url: string): Address | undefined {
  const { scheme = '', authority, path, query } = splitUri(url)
  if (!/^https?$/i.test(scheme) || !authority) return undefined
  // Credentials before the host are left out.
  const host = authority.slice(authority.lastIndexOf('@') + 1)
  const port = scheme.toLowerCase() === 'https' ? ':443' : ':80'
  const origin = `${scheme}://${host}`.toLowerCase()
  return {
    origin: origin.endsWith(port) ? origin.slice(0, -port.length) : origin,
    path: path === '' ? '/' : path,
    search: query === undefined ? '' : `?${query}`,
  }
}

/** The response headers that the learner reads. No other header is kept, as it may hold credentials. */
const keptHeaders =
  /^(?:content-(?:disposition|language|range|type)|link|location|retry-after|x-(?:total|page|per-page|pagination|offset|limit|next|prev).*)$/i

/** Returns a path without the slashes at its end; the path `/` stays. */
export function withoutFinalSlashes(path: string): string {
  return path.replace(/(?<=.)\/+$/, '')
}

/** Splits a segment with a key in parentheses, as OData has them: `Books(7)`, `Books('a')`, `Books(ID=7)`. */
export function splitKey(segment: string): string[] {
  const [, name, text, bare] = /^(\w+)\((?:\w+=)?(?:'([^']*)'|([^'(),=]+))\)$/.exec(segment) ?? []
  const key = text ?? bare
  return name === undefined || key === undefined ? [segment] : [name, key]
}

/** Whether a body can be JSON by its media type; servers often send JSON without a type or as `text/plain`. */
function isMaybeJson(type: string): boolean {
  return type === '' || /json|^text\/plain/i.test(type)
}

/** Parses a request body as JSON, a form or text; undefined for an empty body. */
export function parseSent(text: string, type: string): Json | undefined {
  if (text === '') return undefined
  if (!/urlencoded/i.test(type)) return tryJson(text) ?? text
  const fields: Record<string, Json> = {}
  for (const [name, value] of parseFields(text)) define(fields, name, value)
  return fields
}

function parseFields(text: string): readonly Param[] {
  try {
    return parseParams(`?${text}`)
  } catch {
    return []
  }
}
