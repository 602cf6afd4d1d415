import type { ReadRequest } from './request.ts'
import { compareValues } from '../json/compare.ts'
import { isRecord, type Json, type JsonRecord, ownValue } from '../json/json.ts'
import { scalarText } from '../json/scalar-text.ts'
import { type ParameterRole, roleOf } from '../learn/recognize/parameters.ts'
import { plain } from './record-fields.ts'
import type { Operation } from './document.ts'

/** The records of a list that a request asks for. */
export interface Selected {
  records: readonly JsonRecord[]
  total: number
  limit: number
  offset: number
  /** The id after which the next page starts. */
  nextCursor: string | undefined
  /** The parameter that asks for a page, and the value for each page. */
  pageParameter: { name: string; valueOf(offset: number): string } | undefined
}

/** Filters, sorts and pages records by the parameters that the document names. */
export function select(
  records: readonly JsonRecord[],
  { query }: ReadRequest,
  { parameters }: Operation,
  fields: ReadonlyMap<string, unknown>,
  idField: string,
): Selected {
  const byRole = new Map<
    ParameterRole,
    { name: string; value: Json | undefined; fallback: Json | undefined }
  >()
  let found = [...records]
  const fieldNamed = (name: string): string | undefined => {
    const wanted = plain(name.replace(/\[.*$/, ''))
    return [...fields.keys()].find((key) => plain(key) === wanted)
  }
  for (const { name, in: place, schema } of parameters) {
    if (place !== 'query') continue
    const value = query.get(name)
    const field = fieldNamed(name)
    const role = field === undefined ? roleOfName(name, value) : undefined
    if (role) {
      const limits = isRecord(schema?.value) ? schema.value : {}
      const isFree = byRole.get(role)?.value === undefined
      if (isFree) byRole.set(role, { name, value, fallback: limits['default'] })
    } else if (value !== undefined && field !== undefined) {
      found = found.filter((record) => isMatch(ownValue(record, field), value))
    }
  }
  const text = byRole.get('q')?.value
  if (typeof text === 'string' && text !== '') {
    found = found.filter((record) => contains(record, text.toLowerCase()))
  }
  sort(found, byRole.get('sort')?.value, byRole.get('order')?.value, fieldNamed)
  return page(found, byRole, idField)
}

/** The role of a parameter by its name; its value only distinguishes sizes from flags. */
function roleOfName(name: string, value: Json | undefined): ParameterRole | undefined {
  const text = value === undefined ? '1' : typeof value === 'object' ? '' : String(value)
  return roleOf(name, text)
}

function isMatch(stored: Json | undefined, wanted: Json): boolean {
  if (Array.isArray(wanted))
    return wanted.length === 0 || wanted.some((one) => isMatch(stored, one))
  if (Array.isArray(stored)) return stored.some((one) => isMatch(one, wanted))
  if (isRecord(wanted))
    return Object.entries(wanted).every(([key, limit]) => compares(stored, key, limit))
  if (isRecord(stored)) return isMatch(stored['id'], wanted)
  if (stored === undefined) return false
  return String(stored).toLowerCase() === String(wanted).toLowerCase()
}

const comparisons: Readonly<Record<string, (order: number) => boolean>> = {
  gt: (order) => order > 0,
  gte: (order) => order >= 0,
  lt: (order) => order < 0,
  lte: (order) => order <= 0,
  eq: (order) => order === 0,
  ne: (order) => order !== 0,
}

/** Compares a value as `created[gte]=1` asks, or a member of an object. */
function compares(stored: Json | undefined, key: string, limit: Json): boolean {
  const passes = ownValue(comparisons, key)
  if (!passes) return isRecord(stored) && isMatch(ownValue(stored, key), limit)
  return stored !== undefined && passes(compareValues(stored, limit, false))
}

function contains(value: Json, text: string): boolean {
  if (typeof value === 'string') return value.toLowerCase().includes(text)
  if (typeof value !== 'object' || value === null) return String(value) === text
  return Object.values(value).some((one) => contains(one, text))
}

function sort(
  records: JsonRecord[],
  by: Json | undefined,
  order: Json | undefined,
  fieldNamed: (name: string) => string | undefined,
): void {
  const asked = [by ?? []].flat().flatMap((one) => scalarText(one).split(','))
  const keys = asked.flatMap((one) => {
    const [, sign = '', name = '', direction = ''] =
      /^([-+]?)(.*?)(?:[:\s]+(asc|desc)\w*)?$/i.exec(one.trim()) ?? []
    const field = fieldNamed(name) ?? fieldNamed(`${name}_at`)
    const isDown = sign === '-' || /^desc/i.test(direction || scalarText(order))
    return field === undefined ? [] : [{ field, isDown }]
  })
  if (keys.length === 0) return
  records.sort((a, b) => {
    for (const { field, isDown } of keys) {
      const compared = compareValues(ownValue(a, field), ownValue(b, field), isDown)
      if (compared !== 0) return compared
    }
    return 0
  })
}

type Roles = ReadonlyMap<
  ParameterRole,
  { name: string; value: Json | undefined; fallback: Json | undefined }
>

function page(found: readonly JsonRecord[], roles: Roles, idField: string): Selected {
  const total = found.length
  const numberOf = (role: ParameterRole): number | undefined => {
    const asked = roles.get(role)
    const value = asked?.value ?? asked?.fallback
    return typeof value === 'number' && Number.isFinite(value) ? Math.trunc(value) : undefined
  }
  const limit = Math.max(0, numberOf('limit') ?? Math.max(total, 1))
  const first = roles.get('page')?.fallback === 0 ? 0 : 1
  const cursor = roles.get('cursor')
  const at =
    cursor?.value === undefined
      ? -1
      : found.findIndex((one) => scalarText(one[idField]) === scalarText(cursor.value))
  const isBefore = /before/i.test(cursor?.name ?? '')
  const asked =
    at >= 0 && !isBefore
      ? at + 1
      : at >= 0
        ? Math.max(0, at - limit)
        : (numberOf('start') ?? ((numberOf('page') ?? first) - first) * limit)
  const offset = Math.max(0, asked)
  const end = at >= 0 && isBefore ? at : offset + limit
  const records = found.slice(offset, end)
  const last = records.at(-1)?.[idField]
  const [pages, start] = [roles.get('page'), roles.get('start')]
  return {
    records,
    total,
    limit,
    offset,
    nextCursor: end < total && last !== undefined && last !== null ? scalarText(last) : undefined,
    pageParameter: pages
      ? {
          name: pages.name,
          valueOf: (from) => String(Math.floor(from / Math.max(limit, 1)) + first),
        }
      : start && { name: start.name, valueOf: String },
  }
}
