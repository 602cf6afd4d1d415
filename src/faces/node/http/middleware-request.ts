import type { IncomingMessage } from 'node:http'
import { parse } from 'node:querystring'
import { isRecord } from '../../../core/json/json.ts'
import type { ExpressRequest } from './express.ts'

/** Sets `url`, `query` and `body` as json-server does before middlewares, and notes them in `original`. */
export function exposeRequest(request: ExpressRequest, original: OriginalRequest): void {
  const { url, rewritten, body } = original
  let { query } = request
  if (rewritten !== url) {
    request.url = request.originalUrl = rewritten
    if (rewritten.includes('?')) query = { ...parse(searchOf(rewritten).slice(1)) }
  }
  // In Express 5, `query` is a getter that parses the URL each time, so that changes would be lost.
  const property = { value: query, writable: true, enumerable: true, configurable: true }
  Object.defineProperty(request, 'query', property)
  request.body = body
  original.initial = { query: toText(query), body: toText(body) }
}

/** Finds the parts of a request that middlewares have changed, so that the mock gets the changed request. */
export function findChanges(request: ExpressRequest, original: OriginalRequest): MiddlewareChanges {
  const { url = '/', query, body } = request
  const { rewritten, bytes, initial = { query: '', body: '' } } = original
  const [path = '/'] = url.split('?', 1)
  const search = searchOf(rewritten) || searchOf(original.url)
  const isConsumed = bytes === undefined && request.readableDidRead
  const isBodyChanged = isConsumed || toText(body) !== initial.body
  const isQueryChanged = toText(query) !== initial.query
  const changed = isQueryChanged ? path + toSearch(query) : url.includes('?') ? url : path + search
  return {
    url: changed === rewritten ? undefined : changed,
    body: isBodyChanged ? toText(body ?? {}) : undefined,
  }
}

/** Whether the body is uncompressed JSON or an uncompressed form, which is parsed for middlewares. */
export function hasParsedBody({ headers }: IncomingMessage): boolean {
  const hasBody = Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding']
  return (
    Boolean(hasBody) && headers['content-encoding'] === undefined && parserOf(headers) !== undefined
  )
}

/** Parses a body as JSON or as a form; an object without fields if it does not parse. */
export function parseBody(bytes: Buffer, headers: IncomingMessage['headers']): unknown {
  try {
    const value = parserOf(headers)?.(bytes.toString())
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

/** The URL, query and body from before the middlewares, for {@link findChanges}. */
export interface OriginalRequest {
  /** The target as received. */
  url: string
  /** The target after the rules of `rewrite`, which come before middlewares. */
  rewritten: string
  /** The body, if it was read because it is JSON or a form. */
  bytes: Buffer | undefined
  /** The parsed body. */
  body: unknown
  /** The query and the body as JSON, before the first middleware. */
  initial?: { query: string; body: string }
}

/** The changed parts of a request; undefined for a part that is as it was received. */
export interface MiddlewareChanges {
  /** The target, if a middleware has changed the URL or the query. */
  url: string | undefined
  /** The body, if a middleware has changed or consumed it. */
  body: string | undefined
}

const parsers: Readonly<Record<string, (text: string) => unknown>> = {
  'application/json': (text) => JSON.parse(text),
  'application/x-www-form-urlencoded': (text) => ({ ...parse(text) }),
}

function parserOf(headers: IncomingMessage['headers']): ((text: string) => unknown) | undefined {
  const [type = ''] = (headers['content-type'] ?? '').toLowerCase().split(';', 1)
  return Object.hasOwn(parsers, type.trim()) ? parsers[type.trim()] : undefined
}

/** The query of a target with its question mark, or an empty string. */
function searchOf(url: string): string {
  return url.slice(url.split('?', 1)[0]?.length)
}

function toText(value: unknown): string {
  return JSON.stringify(value) ?? ''
}

/** Writes a parsed query as text: repeated names for arrays, brackets for objects. */
function toSearch(query: unknown): string {
  const pairs = isRecord(query)
    ? Object.entries(query).flatMap(([name, one]) => toPairs(name, one))
    : []
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}

function toPairs(name: string, value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => toPairs(name, one))
  if (isRecord(value))
    return Object.entries(value).flatMap(([key, one]) => toPairs(`${name}[${key}]`, one))
  const isText =
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  return isText ? [`${encodeURIComponent(name)}=${encodeURIComponent(value)}`] : []
}
