import type { HeaderList } from '../../http/contract/messages.ts'
import { define, type Json } from '../../json/json.ts'
import { parseParams } from '../../url/params.ts'
import { splitUri } from '../../url/uri.ts'
import type { RecordedExchange } from '../exchange.ts'
import type { Param, ParsedExchange } from './parsed-exchange.ts'

/** The parts of a URL. */
export interface Address {
  /** Scheme and authority in lower case: `https://api.example.com`. */
  origin: string
  path: string
  search: string
}

/** Splits an absolute HTTP URL; undefined for any other text. */
export function toAddress(url: string): Address | undefined {
  const { scheme = '', authority, path, query } = splitUri(url)
  if (!/^https?$/i.test(scheme) || !authority) return undefined
  // Credentials in an address are never kept.
  const host = authority.slice(authority.lastIndexOf('@') + 1)
  const port = scheme.toLowerCase() === 'https' ? ':443' : ':80'
  const origin = `${scheme}://${host}`.toLowerCase()
  return {
    origin: origin.endsWith(port) ? origin.slice(0, -port.length) : origin,
    path: path === '' ? '/' : path,
    search: query === undefined ? '' : `?${query}`,
  }
}

/** The headers of responses that a recorded answer keeps; no other header is ever stored. */
const keptHeaders =
  /^(?:content-(?:language|range|type)|link|location|retry-after|x-(?:total|page|per-page|pagination|offset|limit|next|prev).*)$/i

/** Parses an exchange; returns undefined if the URL is not absolute or has an invalid percent-encoding. */
export function parseExchange(exchange: RecordedExchange): ParsedExchange | undefined {
  const address = toAddress(exchange.url)
  if (!address) return undefined
  const path = address.path.replace(/(?<=.)\/+$/, '')
  try {
    const segments = path.split('/').slice(1).map(decodeURIComponent).flatMap(splitKey)
    const type = valueOf(exchange.headers, 'content-type')
    const { body = '' } = exchange
    return {
      at: exchange.startedAt,
      method: exchange.method.toUpperCase(),
      path,
      isSlashed: path !== address.path,
      segments: segments.length === 1 && segments[0] === '' ? [] : segments,
      query: parseParams(address.search),
      sent: readSent(exchange),
      status: exchange.status,
      headers: exchange.headers.filter(([name]) => keptHeaders.test(name)),
      json: isMaybeJson(type) ? parseJson(body) : undefined,
      isEmpty: body === '',
    }
  } catch {
    return undefined
  }
}

/** Splits a segment with a key in parentheses, as OData has them: `Books(7)`, `Books('a')`, `Books(ID=7)`. */
export function splitKey(segment: string): string[] {
  const [, name, text, bare] = /^(\w+)\((?:\w+=)?(?:'([^']*)'|([^'(),=]+))\)$/.exec(segment) ?? []
  const key = text ?? bare
  return name === undefined || key === undefined ? [segment] : [name, key]
}

/** Whether a body of a media type may be JSON; servers often send none, or `text/plain`. */
function isMaybeJson(type: string): boolean {
  return type === '' || /json|^text\/plain/i.test(type)
}

/** Parses a text as JSON; undefined for any other text. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

function readSent({ requestHeaders, requestBody }: RecordedExchange): Json | undefined {
  return parseSent(requestBody ?? '', valueOf(requestHeaders, 'content-type'))
}

/** The body of a request as JSON, as the fields of a form, or as text; undefined for an empty body. */
export function parseSent(text: string, type: string): Json | undefined {
  if (text === '') return undefined
  if (!/urlencoded/i.test(type)) return parseJson(text) ?? text
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

function valueOf(headers: HeaderList, wanted: string): string {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? ''
}
