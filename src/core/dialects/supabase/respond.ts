import { isRecord, type Json, type JsonRecord, ownValue } from '../../json/json.ts'
import type { Answer, Call } from '../contract/dialect.ts'
import { refuse } from './errors.ts'
import type { Selection } from './parse.ts'
import type { Projection } from './read.ts'
import { textOf } from './types.ts'

/** The preferences of requests (RFC 7240) and their values, in the order of `Preference-Applied`. */
const known: Readonly<Record<string, RegExp>> = {
  resolution: /^(?:merge|ignore)-duplicates$/,
  missing: /^(?:default|null)$/,
  return: /^(?:representation|minimal|headers-only)$/,
  count: /^(?:exact|planned|estimated)$/,
  tx: /^(?:commit|rollback)$/,
  handling: /^(?:strict|lenient)$/,
  timezone: /./,
  'max-affected': /./,
}

/** The preferences of a request by name. */
export type Preferences = Readonly<Partial<Record<string, string>>>

/** Reads the header `Prefer`. @throws MockError PGRST122 for an unknown preference with `handling=strict` */
export function readPreferences({ headers }: Pick<Call, 'headers'>): Preferences {
  const parts = (headers['prefer'] ?? '').split(',').flatMap((part) => part.trim() || [])
  const isKnown = (part: string): boolean => {
    const [name = '', value = ''] = part.split('=', 2)
    return ownValue(known, name)?.test(value) ?? false
  }
  // The first value of a preference counts.
  const pairs = parts.filter(isKnown).toReversed()
  const found: Preferences = Object.fromEntries(pairs.map((part) => part.split('=', 2)))
  const invalid = parts.filter((part) => !isKnown(part))
  if (found['handling'] !== 'strict' || invalid.length === 0) return found
  const details = `Invalid preferences: ${invalid.join(', ')}`
  throw refuse(400, 'PGRST122', 'Invalid preferences given with handling=strict', details)
}

/** Returns the header `Preference-Applied` for the preferences that a response follows, and those of all responses. */
export function applied(given: Preferences, ...followed: string[]): Answer['headers'] {
  const names = new Set(['count', 'tx', 'handling', 'timezone', ...followed])
  if (given['handling'] !== 'strict') names.delete('max-affected')
  const shown = Object.keys(known).filter((name) => names.has(name) && given[name] !== undefined)
  const value = shown.map((name) => `${name}=${given[name]}`).join(', ')
  return value === '' ? [] : [['Preference-Applied', value]]
}

/** The format of the rows in a response: a list, one row, or CSV. */
export interface Media {
  type: string
  isSingle?: boolean
  /** Whether members that are null are left out. */
  isStripped?: boolean
}

/** Chooses the first media type of `Accept` that there is. @throws MockError PGRST107 */
export function chooseMedia({ headers }: Pick<Call, 'headers'>): Media {
  const accepted = (headers['accept'] ?? '*/*').toLowerCase()
  for (const one of accepted.split(',').map((part) => part.trim())) {
    const [, vendor, format, nulls] =
      /^(application\/vnd\.pgrst\.(array|object))(?:\+json)?\s*(;\s*nulls=stripped)?/.exec(one) ??
      []
    const isSingle = format === 'object'
    if (vendor && (isSingle || nulls)) {
      const type = `${vendor}+json${nulls ? ';nulls=stripped' : ''}`
      return { type, isSingle, isStripped: nulls !== undefined }
    }
    if (/^text\/csv\b/.test(one)) return { type: 'text/csv' }
    if (vendor || /^(?:\*|application|text)\/(?:\*|json|html)(?=\s*(?:;|$))/.test(one)) {
      return { type: 'application/json' }
    }
  }
  throw refuse(406, 'PGRST107', `None of these media types are available: ${accepted}`)
}

/** Checks that a request for one row has one. @throws MockError PGRST116 */
export function checkSingle({ isSingle }: Media, count: number): void {
  if (!isSingle || count === 1) return
  const details = `The result contains ${count} rows`
  throw refuse(406, 'PGRST116', 'Cannot coerce the result to a single JSON object', details)
}

/** Returns the rows that `limit`, `offset` and the header `Range` select. @throws MockError PGRST103 */
export function rangeOf(
  { limit = Infinity, offset = 0 }: Selection,
  { method, headers }: Pick<Call, 'method' | 'headers'>,
): { start: number; end: number } {
  if (limit === 0) return { start: 0, end: 0 }
  const range = method === 'GET' ? /^(\d+)-(\d*)$/.exec(headers['range'] ?? '') : undefined
  const low = Number(range?.[1] ?? 0)
  const high = range?.[2] ? Number(range[2]) + 1 : Infinity
  const start = Math.max(0, offset, low)
  const end = Math.min(Math.max(0, offset) + limit, high)
  if (start < end) return { start, end }
  const details =
    low >= high
      ? 'The lower boundary must be lower than or equal to the upper boundary in the Range header.'
      : 'Limit should be greater than or equal to zero.'
  throw refuse(416, 'PGRST103', 'Requested range not satisfiable', details)
}

/** Writes `Content-Range` for the first and last row of a page, and the number of all rows, if it is known. */
export function contentRange(first: number, last: number, total?: number): [string, string] {
  const range = first > last || total === 0 ? '*' : `${first}-${last}`
  return ['Content-Range', `${range}/${total ?? '*'}`]
}

/** Creates the response with rows in a format. */
export function toAnswer(
  status: number,
  headers: Answer['headers'],
  rows: readonly JsonRecord[],
  { names, toObject }: Projection,
  { type, isSingle, isStripped }: Media,
): Answer {
  const objects = rows.map(toObject)
  const answer = { status, headers, type: `${type}; charset=utf-8` }
  if (type === 'text/csv') return { ...answer, value: undefined, text: toCsv(names, objects) }
  const shown = isStripped ? objects.map(withoutNulls) : objects
  return { ...answer, value: isSingle ? shown[0] : shown }
}

function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (!isRecord(value)) return value
  const kept = Object.entries(value).filter(([, one]) => one !== null)
  return Object.fromEntries(kept.map(([key, one]) => [key, withoutNulls(one)]))
}

function toCsv(names: readonly string[], rows: readonly JsonRecord[]): string {
  const cell = (value: Json): string => {
    const text = value === null ? '' : textOf(value)
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  }
  const lines = [names, ...rows.map((row) => names.map((name) => row[name] ?? null))]
  return lines.map((cells) => cells.map(cell).join(',')).join('\n')
}

/** Parses CSV (RFC 4180) with a header line. @throws MockError PGRST102 for a line of another length */
export function parseCsv(text: string): JsonRecord[] {
  const lines: (string | null)[][] = [[]]
  const cells = text.trimEnd().matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|$)/g)
  for (const [, quoted, plain = '', end] of cells) {
    lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? (plain === 'NULL' ? null : plain))
    if (end === '') break
    if (end !== ',') lines.push([])
  }
  const [names = [], ...rows] = lines
  if (rows.every((row) => row.length === names.length)) {
    return rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? null])))
  }
  throw refuse(400, 'PGRST102', 'All lines must have same number of fields')
}
