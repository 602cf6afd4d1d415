import { MockError } from '../../core/errors/mock-error.ts'
import { define, isRecord, type Json, type JsonRecord } from '../../core/json/json.ts'
import type { SchemaObject } from '../../core/types/json-schema.ts'
import { createReader, type Kinds, type Token, tokenize, unknown } from './tokens.ts'

/**
 * Reads the TypeScript that `supabase gen types` writes: the JSON Schemas of the tables and views of `public`, by
 * name. Nothing is executed. `x-foreign-keys` are the foreign keys.
 */
export function parseDatabaseTypes(
  text: string,
): { value: JsonRecord } | { problem: string; advice: string; offset: number } {
  const advice =
    'Please write it anew: npx supabase gen types typescript --local > database.types.ts'
  const tokens = tokenize(`${text}\0`, pattern, kinds)
  const start = tokens.findIndex(
    (one, at) => one.text === 'Database' && /^(?:type|interface)$/.test(tokens[at - 1]?.text ?? ''),
  )
  try {
    // Tables name the enums, which are below them: the first reading finds the enums for the second.
    const root =
      start < 0 ? {} : readDatabase(text, tokens, start, readDatabase(text, tokens, start, {}))
    const { Tables, Views } = propertiesOf(propertiesOf(root)['public'])
    if (Tables) {
      const tables = Object.entries(propertiesOf(Tables))
      const names = new Set(tables.map(([name]) => name))
      const all = [...Object.entries(propertiesOf(Views)), ...tables]
      return { value: Object.fromEntries(all.map(([name, one]) => [name, toSchema(one, names)])) }
    }
    return { problem: 'it has no type Database with the tables of "public"', advice, offset: 0 }
  } catch (error) {
    if (!(error instanceof MockError)) throw error
    const { offset } = error.extensions['token'] as Token
    const sign = offset < text.length ? `"${text[offset]}"` : 'the end'
    return { problem: `${sign} is not expected here`, advice, offset }
  }
}

/** Comments, and the tokens: quoted texts, numbers, words and signs. */
const pattern =
  /\s+|\/\/[^\n]*|\/\*[^]*?\*\/|"(?<double>(?:[^"\\\n]|\\.)*)"|'(?<single>(?:[^'\\\n]|\\.)*)'|(?<number>-?\d+(?:\.\d+)?)|(?<word>[\p{L}_$][\p{L}\p{N}_$]*)|(?<sign>[^])/gu

const unescape = (text: string): string => text.replaceAll(/\\(.)/g, '$1')

const kinds: Kinds = {
  double: ['string', unescape],
  single: ['string', unescape],
  number: ['number'],
  word: ['word'],
  sign: ['sign'],
}

/** Reads the type `Database` as a JSON Schema; `known` is the type itself where a part names it. */
function readDatabase(
  source: string,
  tokens: readonly Token[],
  start: number,
  known: SchemaObject,
): SchemaObject {
  const { seek, next, take, expect, list, peek, is, place } = createReader(tokens)
  seek(start + 1)
  take('=')
  return readType()

  function readType(): SchemaObject {
    take('|')
    const members = [readArray()]
    while (take('|')) members.push(readArray())
    return toUnion(members)
  }

  function readArray(): SchemaObject {
    let type = readPrimary()
    while (take('[')) {
      if (take(']')) {
        type = { type: 'array', items: type }
        continue
      }
      const { text } = next()
      expect(']')
      const member = propertiesOf(type)[text] ?? {}
      type = member['enum'] === undefined ? member : { ...member, title: text }
    }
    return type
  }

  function readPrimary(): SchemaObject {
    const token = next()
    const { kind, text } = token
    if (kind === 'string') return { type: 'string', enum: [text] }
    if (kind === 'number') return { type: 'number', enum: [Number(text)] }
    if (text === '{') return readObject()
    if (text === '[') return { type: 'array', prefixItems: list(']', readType) }
    if (text === '(') {
      const inner = readType()
      expect(')')
      return inner
    }
    if (kind !== 'word') throw unknown(token)
    if (take('<')) list('>', readType)
    if (text === 'Database') return known
    if (text === 'true' || text === 'false') return { type: 'boolean', enum: [text === 'true'] }
    return /^(?:string|number|boolean|null)$/.test(text) ? { type: text } : {}
  }

  function readObject(): SchemaObject {
    const properties: JsonRecord = {}
    const required: string[] = []
    while (!take('}')) {
      if (take(';', ',')) continue
      const token = next()
      const isIndex = token.kind === 'sign' && token.text === '['
      if (isIndex) {
        next()
        take('in', ':')
        readType()
        expect(']')
      } else if (token.kind === 'sign') throw unknown(token)
      if (!take('?') && !isIndex) required.push(token.text)
      expect(':')
      const type = readType()
      if (!isIndex) define(properties, token.text, type)
      const between = source.slice(tokens[place() - 1]?.offset, peek().offset)
      if (!is(';', ',', '}') && !between.includes('\n')) throw unknown(peek())
    }
    return { type: 'object', properties, required }
  }
}

function toUnion(members: readonly SchemaObject[]): SchemaObject {
  const others = members.filter((one) => one['type'] !== 'null')
  const [first = { type: 'null' }, second] = others
  if (!others.every((one) => one['enum']) && second) return {}
  if (first['type'] === undefined) return {}
  const isNullable = others.length > 0 && others.length < members.length
  const values = others.flatMap((one) => (one['enum'] ?? []) as Json[])
  return {
    ...first,
    ...(values.length > 0 && { enum: isNullable ? [...values, null] : values }),
    ...(isNullable && { type: [first['type'], 'null'].flat() }),
  }
}

function propertiesOf(schema: unknown): Record<string, SchemaObject> {
  const properties = isRecord(schema) ? schema['properties'] : undefined
  return isRecord(properties) ? (properties as Record<string, SchemaObject>) : {}
}

/** Returns the schema of the rows of a table or view: a request has to give the columns that `Insert` requires. */
function toSchema(table: SchemaObject, tables: ReadonlySet<string>): JsonRecord {
  const { Row, Insert, Relationships } = propertiesOf(table)
  const inserted = propertiesOf(Insert)
  const required = (Insert?.['required'] ?? []) as string[]
  const columns = Object.entries(propertiesOf(Row)).map(([name, column]) => {
    const isFilled = Object.hasOwn(inserted, name) && !required.includes(name)
    const value = isFilled ? defaultOf(name, column) : undefined
    return [name, value === undefined ? column : { ...column, default: value }]
  })
  const keys = (toValue(Relationships) ?? []) as unknown as Relationship[]
  return {
    type: 'object',
    properties: Object.fromEntries(columns) as JsonRecord,
    required,
    'x-foreign-keys': keys.flatMap(({ columns, referencedColumns, ...one }): JsonRecord[] => {
      const [[key, second], [far]] = [columns, referencedColumns]
      // The dialect embeds by one column.
      if (key === undefined || far === undefined || second !== undefined) return []
      const { foreignKeyName: constraint, referencedRelation: parent, isOneToOne } = one
      return [{ key, parent, far, constraint, isOneToOne, isChecked: tables.has(parent) }]
    }),
  }
}

interface Relationship {
  foreignKeyName: string
  columns: string[]
  isOneToOne: boolean
  referencedRelation: string
  referencedColumns: string[]
}

/** A likely default of a column that is filled, as the types do not tell it; none for numbers of keys and for foreign keys. */
function defaultOf(name: string, { type, enum: values }: SchemaObject): Json | undefined {
  if (Array.isArray(values) && typeof type === 'string') return values[0] as Json
  if (type === 'string' && /^(?:id|uuid)$/.test(name)) return 'gen_random_uuid()'
  if (/^id$|_id$/.test(name)) return undefined
  if (type === 'string') return name.endsWith('_at') ? 'now()' : ''
  return ({ number: 0, boolean: false, array: [] } as JsonRecord)[String(type)]
}

/** The value of a type of literals. */
function toValue(schema: SchemaObject | undefined): Json | undefined {
  if (!schema) return undefined
  const { enum: values, prefixItems } = schema
  if (Array.isArray(values)) return values[0] as Json
  if (Array.isArray(prefixItems))
    return prefixItems.map((one) => toValue(one as SchemaObject) ?? null)
  const entries = Object.entries(propertiesOf(schema)).map(([name, one]) => [name, toValue(one)])
  return Object.fromEntries(entries) as JsonRecord
}
