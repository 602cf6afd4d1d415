import { MockError } from '../../errors/mock-error.ts'
import type { ChangeEvent } from '../../http/contract/messages.ts'
import type { Json, JsonRecord } from '../../json/json.ts'
import { isLike } from '../../text/like.ts'

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
  const tests: ((row: JsonRecord) => boolean)[] = []
  let offset = 0
  while (offset < text.length) {
    condition.lastIndex = offset
    const [whole, column = '', not, name = '', sent = ''] = condition.exec(text) ?? []
    const operator = Object.hasOwn(operators, name) ? operators[name] : undefined
    if (whole === undefined || !operator) {
      throw new MockError(
        `Failed to read the filter "${text}" at character ${offset + 1}. Please give one such as "id=eq.1"; operators: ${Object.keys(operators).join(', ')}.`,
        { status: 400, code: 'QUERY_INVALID' },
      )
    }
    offset += whole.length
    const operands = sent.startsWith('(') ? [...sent.matchAll(item)].map(([one]) => one) : [sent]
    const values = operands.map(unquote)
    tests.push((row) => operator(row[column] ?? null, values) !== (not !== undefined))
  }
  return (row) => tests.every((test) => test(row))
}

const condition =
  /([^=,]+)=(not\.)?([a-z]+)\.("(?:[^"\\]|\\.)*"|\((?:"(?:[^"\\]|\\.)*"|[^")])*\)|[^,]*)(?:,|$)/y
const item = /"(?:[^"\\]|\\.)*"|[^",()]+/g

function unquote(text: string): string {
  return text.startsWith('"') ? text.slice(1, -1).replaceAll(/\\(.)/g, '$1') : text
}

type Operator = (value: Json, operands: readonly string[]) => boolean

/** The operators of filters, without regular expressions, which can take forever. */
const operators: Readonly<Record<string, Operator>> = {
  eq: comparing((order) => order === 0),
  neq: comparing((order) => Math.abs(order) > 0),
  lt: comparing((order) => order < 0),
  lte: comparing((order) => order <= 0),
  gt: comparing((order) => order > 0),
  gte: comparing((order) => order >= 0),
  in: (value, operands) => operands.some((one) => compare(value, one) === 0),
  is: (value, [name = '']) => textOf(value) === name.toLowerCase(),
  isdistinct: (value, [one = '']) => textOf(value) !== one && compare(value, one) !== 0,
  like: (value, [pattern = '']) => isLike(textOf(value), pattern),
  ilike: (value, [pattern = '']) => isLike(textOf(value).toLowerCase(), pattern.toLowerCase()),
}

function comparing(test: (order: number) => boolean): Operator {
  return (value, [operand = '']) => test(compare(value, operand))
}

/** Compares a value with a text of its type; NaN for null and for a text that is no number. */
function compare(value: Json, operand: string): number {
  if (value === null) return Number.NaN
  if (typeof value === 'number') return value - Number(operand)
  const text = textOf(value)
  return text === operand ? 0 : text < operand ? -1 : 1
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
