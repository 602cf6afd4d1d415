import type { Param } from '../parse-exchange.ts'
import { isRecord, type Json, define } from '../../json/json.ts'
import { hash } from '../../time/random.ts'
import { toCanonicalJson } from '../../json/canonical-json.ts'

/** A file in `_recorded/`: a request, and its response, which the mock cannot make from its records. */
export interface StoredAnswer {
  method: string
  path: string
  query?: readonly Param[]
  /** The body of the request: JSON, the fields of a form, or a text. */
  body?: Json
  /** Whether only requests without credentials get the answer. */
  anonymous?: true
  /** A check of the passwords in the request, which many passwords share. */
  check?: string
  /** The id of the only user who gets the answer. */
  user?: string
  /** The resource of a removal: the answer is for a record that is not there. */
  missing?: string
  status: number
  headers?: [name: string, value: string][]
  value?: Json
  /** The body of a response that is no JSON: a text, or bytes in base64. */
  text?: string
  base64?: string
  /** The origin of the real API, if the answer has links to the API. */
  origin?: string
  /** Digests of the resources in the answer: once one differs, the mock answers from the data. */
  while?: Record<string, string>
}

/** Whether a value read from a file is a recorded answer. */
export function isStoredAnswer(value: unknown): value is StoredAnswer & Json {
  if (!isRecord(value)) return false
  const {
    method,
    path,
    query = [],
    status,
    headers = [],
    while: pinned = {},
    anonymous = true,
    check = '',
    missing = '',
    user = '',
    text = '',
    base64 = '',
  } = value
  return (
    typeof method === 'string' &&
    typeof path === 'string' &&
    path.startsWith('/') &&
    isPairs(query) &&
    Number.isInteger(status) &&
    (status as number) >= 200 &&
    (status as number) <= 599 &&
    isPairs(headers) &&
    anonymous === true &&
    [text, check, missing, user].every((one) => typeof one === 'string') &&
    typeof base64 === 'string' &&
    base64.length % 4 === 0 &&
    /^[\w+/]*={0,2}$/.test(base64) &&
    isRecord(pinned) &&
    Object.values(pinned).every((digest) => typeof digest === 'string')
  )
}

function isPairs(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every(
      (pair) =>
        Array.isArray(pair) && pair.length === 2 && pair.every((text) => typeof text === 'string'),
    )
  )
}

/** Returns a digest by which a change is noticed; the order of members does not count. */
export function digestOf(value: unknown): string {
  const text = toCanonicalJson(value)
  return `${hash(text).toString(36)}-${text.length.toString(36)}`
}

/** Replaces the origin of all absolute URLs, so that clients that follow a link stay here. */
export function rebase<Value>(value: Value, from: string, to: string): Value {
  if (from === to) return value
  return move(value, from, to) as Value
}

function move(value: unknown, from: string, to: string): unknown {
  if (typeof value === 'string') return moveText(value, from, to)
  if (Array.isArray(value)) return value.map((inner) => move(inner, from, to))
  if (!isRecord(value)) return value
  const copy: Record<string, unknown> = {}
  for (const [key, inner] of Object.entries(value)) define(copy, key, move(inner, from, to))
  return copy
}

function moveText(text: string, from: string, to: string): string {
  if (!text.includes(from)) return text
  const parts = text.split(from)
  // `https://api.example.com.other` is another host.
  return parts.reduce((moved, part) => moved + (/^(?:[/?#>"]|$)/.test(part) ? to : from) + part)
}

/** Whether a value contains an absolute URL of an origin. */
export function mentions(value: unknown, origin: string): boolean {
  return origin !== '' && JSON.stringify(value).includes(origin)
}
