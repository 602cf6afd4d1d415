import { MockError } from '../errors.ts'
import { define, isRecord, type Json, type JsonRecord } from '../json.ts'
import { parseParams } from '../params.ts'
import { after, type MaybePromise, type MockRequest } from './messages.ts'

/** How bodies are read. */
export interface BodyLimits {
  /** In bytes. @default 10485760 (10 MiB) */
  maxBody: number
  /** How far arrays and objects may be nested. @default 100 */
  maxDepth: number
}

/** Reads a body of one media type. */
type Reader = (text: string, limits: BodyLimits) => Json

/** The media types that a record may be sent as. */
const readers: Record<string, Reader> = {
  'application/json': readJson,
  'application/merge-patch+json': readJson,
  'application/json-patch+json': readJson,
  'application/x-www-form-urlencoded': readForm,
}

/** The media type of a request's body in lower case, without parameters; undefined where none is given. */
export function mediaType(request: MockRequest): string | undefined {
  return request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() || undefined
}

/**
 * Reads the JSON value of a request's body, which has to be of one of these media types.
 * @throws MockError 400 without a readable body, 413 when it is too large, 415 for another type
 */
export function readBody(
  request: MockRequest,
  types: readonly string[],
  limits: BodyLimits,
): MaybePromise<Json> {
  const type = mediaType(request) ?? 'application/json'
  return after(request.text(limits.maxBody), (text) => {
    if (text === '') throw wrongBody('there is none', 'Please send a JSON object.')
    const known = types.includes(type) || (type.endsWith('+json') && !Object.hasOwn(readers, type))
    if (!known) throw unsupported(type, types, request.method)
    return (readers[type] ?? readJson)(text, limits)
  })
}

/**
 * Makes sure that a body is one record.
 * @throws MockError 400
 */
export function asRecord(body: unknown): JsonRecord {
  if (isRecord(body)) return body
  throw wrongBody('it is no object', 'Please send a JSON object.')
}

/**
 * Reads a text as JSON.
 * @throws MockError 400 when it is none, or nested deeper than the limit
 */
export function readJson(text: string, { maxDepth }: Pick<BodyLimits, 'maxDepth'>): Json {
  let value: Json
  try {
    value = JSON.parse(text) as Json
  } catch (cause) {
    throw wrongBody('it is not JSON', 'Please check its syntax.', cause)
  }
  if (depthOf(text) > maxDepth && isDeeper(value, maxDepth)) {
    throw wrongBody(`it is nested deeper than ${maxDepth}`, 'Please send a flatter one.')
  }
  return value
}

function readForm(text: string): Json {
  if (/^\s*[[{]/.test(text)) {
    throw wrongBody(
      'it is JSON, but sent as a form',
      'Please add the header "Content-Type: application/json".',
    )
  }
  const record: JsonRecord = {}
  for (const [name, value] of parseParams(`?${text}`)) {
    const held = Object.hasOwn(record, name) ? record[name] : undefined
    define(record, name, held === undefined ? value : [held, value].flat())
  }
  return record
}

/** How many brackets open in a text: never less than its value is nested. */
function depthOf(text: string): number {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 91 || code === 123) depth++
  }
  return depth
}

function isDeeper(value: Json, limit: number): boolean {
  let level: Json[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true
    level = level.flatMap((one) =>
      typeof one === 'object' && one !== null
        ? Object.values(one).filter((inner) => typeof inner === 'object' && inner !== null)
        : [],
    )
  }
  return false
}

function unsupported(type: string, types: readonly string[], method: string): MockError {
  const header = { PATCH: 'Accept-Patch', QUERY: 'Accept-Query' }[method] ?? 'Accept'
  return new MockError(
    `Failed to read the body: "${type}" is no type for it. Please send ${types[0]}.`,
    {
      status: 415,
      code: 'TYPE_UNSUPPORTED',
      headers: [[header, types.join(', ')]],
    },
  )
}

function wrongBody(reason: string, advice: string, cause?: unknown): MockError {
  return new MockError(`Failed to read the body: ${reason}. ${advice}`, {
    status: 400,
    code: 'BODY_INVALID',
    cause,
  })
}
