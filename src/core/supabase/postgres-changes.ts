import { passes } from '../dialects/supabase/filters.ts'
import { parseRequest } from '../dialects/supabase/parse.ts'
import { MockError } from '../errors/mock-error.ts'
import type { ChangeEvent } from '../http/contract/messages.ts'
import type { Json, JsonRecord } from '../json/json.ts'

/** Converts a change to the `data` of `postgres_changes`; undefined if the client does not get the change. */
export function toData(
  { change, stored }: ChangeEvent,
  { idField, isFull, time }: { idField: string; isFull: boolean; time: number },
): PostgresChange | undefined {
  const record = 'record' in change ? change.record : undefined
  const previous = 'previous' in stored ? stored.previous : undefined
  const type = typeOf[stored.type]
  const row = record ?? ('previous' in change ? change.previous : undefined)
  if (!type || !row || (type !== 'DELETE' && !record)) return undefined
  const old = isFull && 'previous' in change ? change.previous : previous
  const key = old && { [idField]: old[idField] ?? null }
  return {
    row,
    data: {
      schema: 'public',
      table: 'collection' in stored ? stored.collection : '',
      commit_timestamp: new Date(time).toISOString(),
      type,
      columns: Object.entries(row).map(([name, value]) => ({ name, type: columnType(value) })),
      ...(type !== 'DELETE' && { record: row }),
      ...(old && key && { old_record: isFull ? old : key }),
      errors: null,
    },
  }
}

interface PostgresChange {
  /** The new record, or the removed one, which the filter applies to. */
  row: JsonRecord
  data: JsonRecord & { type: string }
}

const typeOf: Readonly<Record<string, string>> = {
  created: 'INSERT',
  updated: 'UPDATE',
  deleted: 'DELETE',
}

/** The type of PostgreSQL that holds a value; clients convert texts of numbers, booleans and JSON by it. */
function columnType(value: Json): string {
  if (typeof value === 'number') return Number.isInteger(value) ? 'int8' : 'float8'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value !== 'string') return value === null ? 'text' : 'jsonb'
  if (/^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-][\d:]+)$/.test(value)) return 'timestamptz'
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value) ? 'uuid' : 'text'
}

/**
 * Parses a filter such as `status=eq.open,id=in.(1,2)`, of which all conditions have to hold.
 * @throws MockError 400 for another syntax, and for an operator that Realtime does not have
 */
export function parseFilter(text: string): (row: JsonRecord) => boolean {
  const parts: string[] = []
  let offset = 0
  while (offset < text.length) {
    condition.lastIndex = offset
    const [whole, column = '', operator = '', value = ''] = condition.exec(text) ?? []
    if (whole === undefined) {
      throw new MockError(
        `Failed to read the filter "${text}" at character ${offset + 1}. Please give one such as "id=eq.1"; operators: ${operators.replaceAll('|', ', ')}.`,
        { status: 400, code: 'QUERY_INVALID' },
      )
    }
    offset += whole.length
    const isPlain = !/^["({]/.test(value) && !operator.endsWith('is.')
    parts.push(`${JSON.stringify(column)}.${operator}${isPlain ? JSON.stringify(value) : value}`)
  }
  if (parts.length === 0) return () => true
  const selection = parseRequest('', [['and', `(${parts.join(',')})`]])
  return (row) => passes(row, selection)
}

const operators = 'eq|neq|lt|lte|gt|gte|in|is|isdistinct|like|ilike|match|imatch'

/** A column, and an operator with its value: quoted, a list, an array, or a text up to the next comma. */
const condition = new RegExp(
  String.raw`([^=,]+)=((?:not\.)?(?:${operators})\.)("(?:[^"\\]|\\.)*"|\((?:"(?:[^"\\]|\\.)*"|[^")])*\)|\{[^{}]*\}|[^,]*)(?:,|$)`,
  'y',
)
