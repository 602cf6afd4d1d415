import type { JsonRecord } from '../json/json.ts'
import { valueAt } from '../json/path.ts'
import { compareValues } from '../json/compare.ts'
import type { Cursor, SortKey } from './tree.ts'

/** Where a record stands in an order, so that a later list can begin behind it. */
export function toCursor(record: JsonRecord, slot: number, sort: readonly SortKey[]): Cursor {
  const values = sort.map(({ path }) => valueAt(record, path))
  return { values, slot }
}

/** Writes a cursor as an opaque text, of signs that no URL has to escape. */
export function writeCursor({ values, slot }: Cursor): string {
  const text = JSON.stringify([slot, ...values])
  return text.replaceAll(/\W/g, (sign) => `-${sign.charCodeAt(0).toString(36)}-`)
}

/** Reads what {@link writeCursor} has written for an order of that many fields, else gives undefined. */
export function readCursor(text: string, fields: number): Cursor | undefined {
  const toSign = (_: string, code: string): string => String.fromCharCode(Number.parseInt(code, 36))
  let parsed: unknown
  try {
    parsed = JSON.parse(text.replaceAll(/-(\w+)-/g, toSign))
  } catch {
    return undefined
  }
  if (!Array.isArray(parsed) || parsed.length !== fields + 1) return undefined
  const [slot, ...values] = parsed as unknown[]
  return Number.isSafeInteger(slot) ? { values, slot: slot as number } : undefined
}

/** Whether a record comes behind the cursor; among equals the place in the collection decides. */
export function isBehind(
  record: JsonRecord,
  slot: number,
  cursor: Cursor,
  sort: readonly SortKey[],
): boolean {
  for (const [at, { path, descending }] of sort.entries()) {
    const sign = compareValues(valueAt(record, path), cursor.values[at], descending)
    if (sign !== 0) return sign > 0
  }
  return slot > cursor.slot
}
