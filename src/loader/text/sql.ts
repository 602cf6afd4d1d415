import { MockError } from '../../core/errors/mock-error.ts'
import {
  define,
  isRecord,
  ownValue,
  type Json,
  type JsonRecord,
  tryJson,
} from '../../core/json/json.ts'
import { parseArray } from '../../core/text/array-literal.ts'
import { createRandom, randomUuid } from '../../core/time/random.ts'
import { createReader, type Kinds, type Reader, type Token, tokenize, unknown } from './tokens.ts'

/**
 * Reads the rows of `INSERT INTO … VALUES` of PostgreSQL, as in `supabase/seed.sql`: records by table. Nothing is
 * executed; any other statement or expression is skipped with a warning at its place.
 */
export function parseSql(text: string): { value: JsonRecord; warnings: SqlWarning[] } {
  const tables = new Map<string, JsonRecord[]>()
  const warnings: SqlWarning[] = []
  const random = createRandom('seed.sql')
  const warn = (problem: string, { offset }: Token): void => void warnings.push({ problem, offset })
  let statement: Token[] = []
  // The lines below COPY are no tokens.
  const blank = text.replaceAll(copied, (all) => `COPY;${' '.repeat(all.length - 5)}`)
  const tokens = tokenize(`${blank}\n;`, pattern, kinds)
  for (const [at, token] of tokens.entries()) {
    const isEnd = token.text === ';' && token.kind === 'sign'
    const isInsert = token.kind === 'word' && token.text === 'insert'
    // A statement in parentheses is a part of a query.
    const isNext = isInsert && tokens[at + 1]?.text === 'into' && statement.at(-1)?.text !== '('
    if (isNext && statement.length > 0) warn('";" is missing before this statement', token)
    else if (!isEnd) {
      statement.push(token)
      continue
    }
    const [first] = statement
    if (first?.text === 'insert') readInsert(statement, tables, random, warn)
    else if (first && !quiet.has(first.text)) {
      warn(`${first.text.toUpperCase()} is not executed, so that it is skipped`, first)
    }
    statement = isEnd ? [] : [token]
  }
  return { value: Object.fromEntries(tables), warnings }
}

/** A part of a file that is skipped, and its place in UTF-16 code units. */
export interface SqlWarning {
  problem: string
  offset: number
}

const copied = /^COPY\b[^;]*\bFROM\s+stdin\b[^;]*;[^]*?^\\\.$/gim

/** Statements that change no data. */
const quiet = new Set(['begin', 'commit', 'set', 'start', 'reset', 'analyze'])

/** Comments, and the tokens: `E'…'`, `'…'`, `$tag$…$tag$`, `"…"`, numbers, words and signs. */
const pattern =
  /\s+|--[^\n]*|\/\*[^]*?\*\/|[eE]'(?<escape>(?:[^'\\]|\\[^]|'')*)'|'(?<string>(?:[^']|'')*)'|\$(?<tag>\w*)\$(?<dollar>[^]*?)\$\k<tag>\$|"(?<name>(?:[^"]|"")*)"|(?<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?<word>[\p{L}_][\p{L}\p{N}_$]*)|(?<sign>::|\|\||[^])/gu

const kinds: Kinds = {
  escape: ['string', unescape],
  string: ['string', (text) => text.replaceAll("''", "'")],
  dollar: ['string'],
  name: ['name', (text) => text.replaceAll('""', '"')],
  number: ['number'],
  word: ['word', (text) => text.toLowerCase()],
  sign: ['sign'],
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }

function unescape(text: string): string {
  return text.replaceAll(
    /''|\\(?:u([\da-fA-F]{4})|x([\da-fA-F]{1,2})|([^]))/g,
    (all, unicode?: string, hex?: string, char = '') => {
      if (all === "''") return "'"
      const code = unicode ?? hex
      return code === undefined
        ? (escapes[char] ?? char)
        : String.fromCharCode(Number.parseInt(code, 16))
    },
  )
}

function readInsert(
  tokens: readonly Token[],
  tables: Map<string, JsonRecord[]>,
  random: () => number,
  warn: (problem: string, token: Token) => void,
): void {
  const reader = createReader(tokens)
  const { take, expect, list, next, peek, is } = reader
  try {
    reader.seek(1)
    expect('into')
    const path = [next().text]
    while (take('.')) path.push(next().text)
    const table = path
      .filter((one, at) => at > 0 || path.length === 1 || one !== 'public')
      .join('/')
    if (take('as')) next()
    expect('(')
    const columns = list(')', () => next().text)
    while (take('overriding', 'system', 'user', 'value')) continue
    expect('values')
    const rows = tables.get(table) ?? []
    tables.set(table, rows)
    do {
      const first = peek()
      const start = reader.place()
      try {
        expect('(')
        const values = list(')', () => readValue(reader, random))
        if (values.length !== columns.length) {
          throw new MockError(`it has ${values.length} values for ${columns.length} columns`)
        }
        const record: JsonRecord = {}
        columns.forEach((column, at) => {
          const value = values[at]
          if (value !== undefined) define(record, column, value)
        })
        rows.push(record)
      } catch (error) {
        if (!(error instanceof MockError)) throw error
        warn(
          `the row is skipped, as ${error.message}`,
          (error.extensions['token'] as Token) ?? first,
        )
        reader.seek(endOf(tokens, start))
      }
    } while (take(','))
    if (is(';', 'on', 'returning')) return
    warn(`the rest of the INSERT is skipped, as "${peek().text}" is not expected here`, peek())
  } catch (error) {
    if (!(error instanceof MockError)) throw error
    const reason = is('select') ? 'a query is not executed' : error.message
    warn(`the INSERT is skipped, as ${reason}`, peek())
  }
}

/** The place after the parenthesis that closes the one at a place. */
function endOf(tokens: readonly Token[], start: number): number {
  let depth = 0
  for (let at = start; at < tokens.length; at++) {
    const { kind, text } = tokens[at] ?? { kind: 'sign', text: '' }
    if (kind === 'sign') depth += text === '(' ? 1 : text === ')' ? -1 : 0
    if (depth === 0) return at + 1
  }
  return tokens.length
}

/** Reads an expression; undefined for DEFAULT. @throws MockError for one that would have to be executed */
function readValue(reader: Reader, random: () => number): Json | undefined {
  const { take, next, peek, list, expect } = reader
  const read = (): Json | undefined => readValue(reader, random)
  let value = readPrimary()
  for (;;) {
    const sign = take('::', '||', '+', '-', 'at')
    if (sign === undefined) return value
    if (sign === '::') value = cast(value, readType(reader))
    else if (sign === '||') value = `${toText(value)}${toText(readPrimary())}`
    else if (sign === 'at') {
      take('time')
      take('zone')
      next()
    } else value = add(value, readPrimary(), sign === '-' ? -1 : 1)
  }

  function readPrimary(): Json | undefined {
    const token = next()
    const { kind, text } = token
    if (kind === 'string') return take('::') ? cast(text, readType(reader)) : text
    if (kind === 'number') return Number(text)
    if (kind === 'sign' && text === '-') return -Number(readPrimary())
    if (kind === 'sign' && text === '(') {
      const inner = read()
      expect(')')
      return inner
    }
    if (kind !== 'word') throw unknown(token)
    if (Object.hasOwn(constants, text)) return constants[text]
    if (text === 'default') return undefined
    if (text === 'array' && take('[')) return list(']', read).map((one) => one ?? null)
    if (text.startsWith('current_')) return now.slice(0, text === 'current_date' ? 10 : undefined)
    if (peek().kind === 'string' && literal.test(text)) return cast(next().text, text)
    let name = text
    while (take('.')) name = next().text
    const call = ownValue(functions, name)
    if (!call || !take('(')) throw unknown(token)
    return call(list(')', read), random)
  }
}

/** The types whose name may stand before a string: `date '2026-01-01'`. */
const literal = /^(?:date|time|timestamp|timestamptz|interval|jsonb?|uuid|text)$/

const constants: Readonly<Record<string, Json>> = { null: null, true: true, false: false }

/** The time of `now()`: that of the start, so that a file that is read again has the same records. */
const now = new Date().toISOString()

/** The functions that usual seeds call. `crypt` keeps the password, which logs in. */
const functions: Readonly<
  Record<string, (values: (Json | undefined)[], random: () => number) => Json>
> = {
  now: () => now,
  gen_random_uuid: (_, random) => randomUuid(random),
  uuid_generate_v4: (_, random) => randomUuid(random),
  crypt: ([text = null]) => text,
  gen_salt: () => '',
  timezone: ([, time = null]) => time,
  lower: ([text]) => toText(text).toLowerCase(),
  upper: ([text]) => toText(text).toUpperCase(),
  concat: (values) => values.map(toText).join(''),
  to_jsonb: ([value = null]) => value,
  jsonb_build_array: (values) => values.map((one) => one ?? null),
  jsonb_build_object: (values) =>
    Object.fromEntries(
      values.flatMap((one, at) => (at % 2 === 0 ? [[toText(one), values[at + 1] ?? null]] : [])),
    ),
}

function toText(value: Json | undefined): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Reads the name of a type, without its schema and length; that of an array ends with `[]`. */
function readType({ take, next, peek, list }: Reader): string {
  let name = next().text
  while (take('.')) name = next().text
  while (take('varying', 'precision', 'with', 'without', 'time', 'zone')) continue
  if (take('(')) list(')', () => next())
  while (peek().text === '[' && take('[')) {
    next()
    name = `${name.replace('[]', '')}[]`
  }
  return name
}

function cast(value: Json | undefined, type: string): Json | undefined {
  if (typeof value !== 'string') return value
  if (type.endsWith('[]'))
    return parseArray(value)?.map((one) => cast(one, type.slice(0, -2)) ?? null) ?? value
  if (/^jsonb?$/.test(type)) {
    const parsed = tryJson(value)
    return parsed === undefined ? value : parsed
  }
  if (/^(?:(?:small|big)?int(?:eger|\d)?|numeric|decimal|real|float\d?|double)$/.test(type))
    return Number.isNaN(Number(value)) ? value : Number(value)
  if (type.startsWith('bool')) return /^(?:t|true|y|yes|on|1)$/i.test(value)
  return type === 'interval' ? { interval: toInterval(value) } : value
}

/** Casts the texts of rows to the types of their columns in a JSON Schema, as PostgreSQL does with literals. */
export function castRows(rows: Json, schema: Json | undefined): Json {
  const columns = isRecord(schema) ? schema['properties'] : undefined
  if (!Array.isArray(rows) || !isRecord(columns)) return rows
  const types = new Map(Object.entries(columns).map(([name, one]) => [name, toType(one)]))
  const castRow = (row: Json): Json =>
    isRecord(row)
      ? Object.fromEntries(
          Object.entries(row).map(([name, value]) => [
            name,
            cast(value, types.get(name) ?? '') ?? null,
          ]),
        )
      : row
  return rows.map(castRow)
}

/** The type of PostgreSQL for a column of a JSON Schema; empty for texts. */
function toType(column: Json | undefined): string {
  if (!isRecord(column)) return ''
  const { items, enum: values } = column
  const type = [column['type']].flat().find((one) => one !== 'null')
  if (type === 'array') return `${toType(items)}[]`
  if (type === undefined && !values) return 'json'
  const names = { number: 'numeric', integer: 'int', boolean: 'bool', object: 'json' }
  return (typeof type === 'string' && ownValue<string>(names, type)) || ''
}

/** Adds an interval to a time, or numbers. */
function add(left: Json | undefined, right: Json | undefined, sign: 1 | -1): Json {
  const interval = isRecord(right) ? right['interval'] : undefined
  const time = Date.parse(toText(left))
  if (typeof interval !== 'number') return Number(left) + sign * Number(right)
  return Number.isNaN(time) ? toText(left) : new Date(time + sign * interval).toISOString()
}

const units = {
  second: 1e3,
  minute: 6e4,
  hour: 36e5,
  day: 864e5,
  week: 6048e5,
  month: 2592e6,
  year: 31536e6,
}

function toInterval(text: string): number {
  const parts = text.matchAll(/(-?\d+(?:\.\d+)?)\s*(second|minute|hour|day|week|month|year)/g)
  return Array.from(
    parts,
    ([, count, unit]) => Number(count) * units[unit as keyof typeof units],
  ).reduce((sum, one) => sum + one, 0)
}
