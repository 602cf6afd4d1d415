import { MockError } from '../../errors/mock-error.ts'
import { findJsonError } from '../../json/json-error.ts'
import { define, isRecord, type Json, type JsonRecord, ownValue } from '../../json/json.ts'
import { parseParams } from '../../url/params.ts'
import { throwIfEnded } from '../contract/early-end.ts'
import type { Exchange } from '../contract/exchange.ts'
import type { Limits } from '../contract/limits.ts'
import {
  tryOr,
  andThen,
  type FormField,
  type MaybePromise,
  type MockRequest,
} from '../contract/messages.ts'

/** Reads a body as JSON. @throws MockError 400 if unreadable, 413 if too large, 415 for a type not in `types` */
export function readBody(
  request: MockRequest,
  types: readonly string[],
  limits: Limits,
): MaybePromise<Json> {
  const type = mediaType(request) ?? 'application/json'
  if (type === 'multipart/form-data' && types.includes(type)) {
    checkCoding(request)
    return andThen(request.form(limits.maxBody), (fields) => toRecord(fields, limits))
  }
  const check = (): void => checkType(request, type, types)
  return andThen(readText(request, limits, check), (text) => {
    if (text === '') throw invalidBody('it is empty', 'Please send a JSON object.')
    check()
    return type === 'application/x-www-form-urlencoded'
      ? readForm(text, limits)
      : readJson(text, limits)
  })
}

/** Reads the record of a body, or the list of records, out of the envelope that the dialect has for it. */
export function readRecord(
  exchange: Exchange,
  resource: string,
  types: readonly string[],
): MaybePromise<Json> {
  const { request, service } = exchange
  return andThen(readBody(request, types, service.limits), (body) => {
    exchange.body = body
    const type = mediaType(request) ?? 'application/json'
    const isWrapped = type.endsWith('json') && type !== 'application/json-patch+json'
    return isWrapped ? (service.dialect.unwrap?.(body, resource, exchange) ?? body) : body
  })
}

/** The media types of a record; `readBody` refuses others with 415, except `+json` types that are no patch. */
export const recordTypes: readonly string[] = [
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
]

/** The media type of the body in lower case, without parameters; undefined without `Content-Type`. */
export function mediaType({ headers }: MockRequest): string | undefined {
  return headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() || undefined
}

/** Reads a body as text; if its bytes are no text, an unsupported type is reported first. */
function readText(
  request: MockRequest,
  { maxBody }: Limits,
  check: () => void,
): MaybePromise<string> {
  return tryOr(
    () => request.text(maxBody),
    (error) => {
      if (error instanceof MockError && error.code === 'BODY_INVALID') check()
      throw error
    },
  )
}

/** The request with readers that note the body for the log, and throw once the request has ended early. */
export function withRawBody(exchange: Exchange): MockRequest {
  const { request } = exchange
  const { text, form, bytes } = request
  const note = <Body extends NonNullable<Exchange['rawBody']>>(body: Body): Body => {
    throwIfEnded(exchange)
    exchange.rawBody = body
    return body
  }
  return {
    ...request,
    text: (limit) => andThen(text(limit), note),
    form: (limit) => andThen(form(limit), note),
    bytes: bytes && ((limit) => andThen(bytes(limit), note)),
  }
}

/** Removes the readers of a body that does not arrive twice. */
export const unread = { stream: undefined, parts: undefined } as const

/** Reads the body of a request as text and keeps it, so that it can be read again. */
export function keepText(exchange: Exchange): MaybePromise<string> {
  const { request, service } = exchange
  return andThen(request.text(service.limits.maxBody), (text) => {
    exchange.request = { ...request, ...unread, text: () => text, bytes: undefined }
    return text
  })
}

/**
 * Reads the body of a request as JSON, for a hook of a behaviour; later hooks and the action can read the body, too.
 * @throws MockError 400 without a readable body, 413 for a too large one
 * @example const { code } = await readJsonBody(exchange)
 */
export function readJsonBody(exchange: Exchange): MaybePromise<Json> {
  return andThen(keepText(exchange), (text) => {
    if (text === '') throw invalidBody('it is empty', 'Please send JSON.')
    exchange.body = readJson(text, exchange.service.limits)
    return exchange.body
  })
}

/** Notes a JSON body for the log when the response does not depend on the body. */
export function noteBody(exchange: Exchange): MaybePromise<void> {
  const { request, method, service } = exchange
  if (exchange.body !== undefined || method === 'GET' || method === 'HEAD') return undefined
  const type = mediaType(request) ?? 'application/json'
  if (!type.endsWith('json')) return undefined
  const note = (text: string): void => {
    if (text !== '') exchange.body = readJson(text, service.limits)
  }
  // A body that cannot be read is left out of the log; an action that needs it reports the error.
  const forget = (error: unknown): void => {
    if (exchange.request !== request) return
    const fail = (): never => {
      throw error as Error
    }
    exchange.request = { ...request, text: fail, bytes: undefined }
  }
  return tryOr(() => andThen(keepText(exchange), note), forget)
}

/** Returns the body. @throws MockError 400 when it is not an object */
export function asRecord(body: unknown): JsonRecord {
  if (isRecord(body)) return body
  throw invalidBody('it is not an object', 'Please send a JSON object.')
}

/** Parses JSON. @throws MockError 400 for a syntax error, too deep nesting, or a number beyond a double */
export function readJson(text: string, { maxDepth }: Pick<Limits, 'maxDepth'>): Json {
  checkShape(text, maxDepth)
  try {
    // Checking every value doubles the time, and nearly no text has that many digits.
    return JSON.parse(text, /e\+?\d{3}|\b\d{309}/i.test(text) ? asFinite : undefined) as Json
  } catch (cause) {
    throw cause instanceof MockError ? cause : wrongSyntax(text, cause)
  }
}

/** Creates the error at the first position that is not JSON; the message of the engine differs between engines. */
function wrongSyntax(text: string, cause: unknown): MockError {
  const found = findJsonError(text, 'body')
  if (!found) return invalidBody('it is not JSON', 'Please check its syntax.', cause)
  const lines = text.slice(0, found.offset).split(/\r\n|\n|\r/)
  const column = (lines.at(-1)?.length ?? 0) + 1
  const reason = `it is not JSON: ${found.problem} at line ${lines.length}, column ${column}`
  return invalidBody(reason, 'Please check its syntax.', cause)
}

/** Refuses a number that was parsed as Infinity, which JSON would write as null. */
function asFinite(_: string, value: Json): Json {
  if (value !== Infinity && value !== -Infinity) return value
  throw invalidBody('a number is too large', 'Please send at most 1.7976931348623157e308.')
}

function readForm(text: string, limits: Limits): Json {
  if (/^\s*[[{]/.test(text)) {
    throw invalidBody(
      'it is JSON, but sent as a form',
      'Please add the header "Content-Type: application/json".',
    )
  }
  return toRecord(parseParams(`?${text}`, limits.maxParams), limits)
}

/** Creates a record from the fields of a form; a repeated field, or one named `tags[]`, becomes an array. */
function toRecord(
  fields: readonly (readonly [name: string, value: FormField[1]])[],
  { maxParams }: Limits,
): Json {
  if (fields.length === 0) throw invalidBody('it is empty', 'Please send a form with fields.')
  if (fields.length > maxParams) throw bodyTooLarge(maxParams, 'fields')
  const record: JsonRecord = {}
  for (const [written, value] of fields) {
    const isList = written.endsWith('[]')
    const name = isList ? written.slice(0, -2) : written
    const held = ownValue(record, name) ?? (isList ? [] : undefined)
    define(record, name, held === undefined ? value : [held, value].flat())
  }
  return record
}

/** The most fields, objects and arrays of a body. */
const MAX_PARTS = 250_000

// The characters that `checkShape` counts, as UTF-16 code units.
const QUOTE = 34
const BACKSLASH = 92
const COLON = 58
const BRACKET = 91
const BRACE = 123

/** Counts brackets and colons outside of strings, as a value of very many or deep parts would take long to build. */
function checkShape(text: string, maxDepth: number): void {
  let depth = 0
  let parts = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      let before: number
      do {
        before = at = text.indexOf('"', at + 1)
        while (text.charCodeAt(before - 1) === BACKSLASH) before--
      } while ((at - before) % 2 === 1)
      // A string without an end is left to the parser, which reports it.
      if (at < 0) break
    } else if (code === BRACKET || code === BRACE) {
      parts++
      if (++depth > maxDepth) {
        throw invalidBody(`it is nested deeper than ${maxDepth}`, 'Please send a flatter one.')
      }
    } else if (code === BRACKET + 2 || code === BRACE + 2) depth--
    else if (code === COLON) parts++
  }
  if (parts > MAX_PARTS) throw bodyTooLarge(MAX_PARTS, 'fields and lists')
}

/** Checks the type of a body; a `+json` type that is no patch counts as JSON (RFC 6839 §3.1). */
function checkType(request: MockRequest, type: string, types: readonly string[]): void {
  checkCoding(request)
  if (types.includes(type) || (type.endsWith('+json') && !type.endsWith('patch+json'))) return
  const header = { PATCH: 'Accept-Patch', QUERY: 'Accept-Query' }[request.method] ?? 'Accept'
  throw unsupported(type, types, header)
}

/** Refuses a compressed body, which may be a decompression bomb. @throws MockError 415 (RFC 9110 §8.4) */
export function checkCoding({ headers }: MockRequest): void {
  const coding = headers['content-encoding'] ?? 'identity'
  if (coding.toLowerCase() !== 'identity') {
    throw unsupported(coding, ['identity'], 'Accept-Encoding')
  }
}

function unsupported(given: string, known: readonly string[], header: string): MockError {
  return new MockError(
    `Failed to read the body: "${given}" is not supported. Please send ${known.join(' or ')}.`,
    { status: 415, code: 'TYPE_UNSUPPORTED', headers: [[header, known.join(', ')]] },
  )
}

/** The error 400 for a body that cannot be read: *Failed to read the body: reason. advice*. */
export function invalidBody(reason: string, advice: string, cause?: unknown): MockError {
  return new MockError(`Failed to read the body: ${reason}. ${advice}`, {
    status: 400,
    code: 'BODY_INVALID',
    cause,
  })
}

/** Creates the error with status 413 for a body with more than `limit` bytes, or another unit. */
export function bodyTooLarge(limit: number, unit = 'bytes'): MockError {
  return new MockError(
    `Failed to read the body: it has more than ${limit} ${unit}. Please send less.`,
    { status: 413, code: 'BODY_TOO_LARGE' },
  )
}
