import type { JsonRecord } from '../json/json.ts'
import { compareValues } from '../json/compare.ts'
import { isByValue, sortValue } from './sort.ts'
import type { Cursor, SortKey } from './tree.ts'

/** The cursor of a record, after which the next page continues: its sort values and its ordinal. */
export function toCursor(record: JsonRecord, ordinal: number, sort: readonly SortKey[]): Cursor {
  const values = sort.map((key) => (isByValue(key) ? sortValue(record, key) : null))
  return { values, ordinal }
}

/** Writes a cursor as an opaque string of characters that no URL has to escape. */
export function writeCursor({ values, ordinal }: Cursor): string {
  const text = JSON.stringify([ordinal, ...values])
  return text.replaceAll(/\W/g, (character) => `-${character.charCodeAt(0).toString(36)}-`)
}

/** Reads a cursor for an order of that many fields; undefined if it is malformed. */
export function readCursor(text: string, fields: number): Cursor | undefined {
  const toCharacter = (_: string, code: string): string =>
    String.fromCharCode(Number.parseInt(code, 36))
  let parsed: unknown
  try {
    parsed = JSON.parse(text.replaceAll(/-(\w+)-/g, toCharacter))
  } catch {
    return undefined
  }
  if (!Array.isArray(parsed) || parsed.length !== fields + 1) return undefined
  const [ordinal, ...values] = parsed as unknown[]
  return Number.isSafeInteger(ordinal) ? { values, ordinal: ordinal as number } : undefined
}

/** Whether a record comes after the cursor; equal records are ordered by ordinal. */
export function isAfter(
  record: JsonRecord,
  ordinal: number,
  cursor: Cursor,
  sort: readonly SortKey[],
): boolean {
  for (const [at, key] of sort.entries()) {
    const { descending } = key
    if (!isByValue(key)) return descending ? ordinal < cursor.ordinal : ordinal > cursor.ordinal
    const sign = compareValues(sortValue(record, key), cursor.values[at], descending)
    if (sign !== 0) return sign > 0
  }
  return ordinal > cursor.ordinal
}
