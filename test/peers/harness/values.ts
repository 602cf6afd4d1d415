import { textOf } from '../../../src/core/dialects/shared/js-values.ts'
import { listed } from './listed.ts'
import { isRecord, type Json, type JsonRecord } from '../../../src/core/json/json.ts'
import type { Database } from './database.ts'
import { words } from './database.ts'
import type { Random } from './random.ts'

/** What a generator knows while it makes requests: the data as it began, and ids made since. */
export interface Context {
  database: Database
  /** Ids that answers have shown, by collection. */
  created: Map<string, Json[]>
}

/** A parameter of a query. */
export type Parameter = readonly [name: string, value: string]

/** The names of all collections. */
export function collections({ database }: Context): string[] {
  return Object.keys(database).filter((name) => Array.isArray(database[name]))
}

/** The name of some collection. */
export function nameOf(random: Random, context: Context): string {
  return random.pick(collections(context))
}

/** The names of all resources that are one object. */
export function singletonsOf({ database }: Context): string[] {
  return Object.keys(database).filter((name) => isRecord(database[name]))
}

/** The records that a collection began with. */
export function recordsOf({ database }: Context, name: string): JsonRecord[] {
  const value = database[name]
  return Array.isArray(value) ? value.filter(isRecord) : []
}

/** An id as a path segment: mostly one that is there, sometimes one that is near or nowhere. */
export function idSegment(random: Random, context: Context, name: string): string {
  const ids = [
    ...recordsOf(context, name).flatMap((record) =>
      record['id'] === undefined ? [] : [record['id']],
    ),
    ...(context.created.get(name) ?? []),
  ]
  if (ids.length === 0 || random.chance(0.12)) {
    return random.pick([
      '1',
      '2',
      '999',
      'nope',
      '0',
      '-1',
      '01',
      '1.0',
      '%20',
      'undefined',
      'null',
    ])
  }
  const text = textOf(random.pick(ids))
  return encodeURIComponent(random.chance(0.03) ? text.toUpperCase() : text)
}

/** Every path to a value in the records, with dots, and the values found there. */
export function pathsOf(records: readonly JsonRecord[]): Map<string, Json[]> {
  const paths = new Map<string, Json[]>()
  const visit = (value: Json, path: string, depth: number): void => {
    if (path) paths.set(path, [...(paths.get(path) ?? []), value])
    if (depth > 4 || value === null || typeof value !== 'object') return
    for (const [key, inner] of Object.entries(value)) {
      visit(inner, path ? `${path}.${key}` : key, depth + 1)
    }
  }
  for (const record of records.slice(0, 40)) visit(record, '', 0)
  return paths
}

/** A path into the records and a value for it: mostly one found there. */
export function fieldAndValue(
  random: Random,
  records: readonly JsonRecord[],
): { field: string; value: string } {
  const paths = pathsOf(records)
  const field =
    paths.size === 0 || random.chance(0.06)
      ? random.pick(['nope', 'title', 'id', 'author.nope', 'a.b.c', 'length', 'tags.length', 'x y'])
      : random.pick([...paths.keys()])
  const found = paths.get(field) ?? []
  const value = random.weighted<string>([
    [10, found.length > 0 ? toText(random.pick(found)) : '1'],
    [1, random.pick(words)],
    [1, random.pick(oddValues)],
    [1, found.length > 0 ? tweak(random, toText(random.pick(found))) : ''],
  ])
  return { field, value }
}

/** Values that a parser may read in more than one way. */
export const oddValues: readonly string[] = listed(
  '¦ ¦0¦-0¦1¦01¦1.0¦1e2¦0x64¦ 5 ¦+5¦5px¦NaN¦Infinity¦null¦undefined¦true¦false¦True¦[]¦',
  '{}¦[object Object]¦"¦\'¦\\¦a,b¦1,2,3¦,¦é¦日¦😀¦%¦_¦*¦9007199254740993¦-1¦1_000¦1n',
)

/** The text of a value as a query writes it. */
export function toText(value: Json): string {
  if (value === null) return 'null'
  return typeof value === 'object' ? toTextOfObject(value) : String(value)
}

function toTextOfObject(value: Json[] | JsonRecord): string {
  return Array.isArray(value) ? value.map((item) => toText(item)).join(',') : JSON.stringify(value)
}

function tweak(random: Random, text: string): string {
  return random.pick([
    text.toUpperCase(),
    text.toLowerCase(),
    ` ${text}`,
    `${text}.0`,
    text.slice(0, 1),
    text.slice(1),
    `${text}x`,
    `0${text}`,
  ])
}

/** An equality of a field. */
export function equal(random: Random, context: Context, name: string): Parameter {
  const { field, value } = fieldAndValue(random, recordsOf(context, name))
  return [field, value]
}

/** A number as a parameter holds it: mostly one that makes sense. */
export function count(random: Random): string {
  return random.weighted([
    [10, String(random.int(1, 6))],
    [2, String(random.int(7, 40))],
    [
      2,
      random.pick([
        '0',
        '-1',
        '-2',
        'abc',
        '',
        '1.5',
        '2.9',
        '1e1',
        ' 2',
        '2 ',
        '0x3',
        '+3',
        '3abc',
      ]),
    ],
    [0.5, random.pick(['99999999999999999999', 'Infinity', 'NaN', 'null', 'true', '1,2'])],
  ])
}

/** A record as a client sends it: fields of the collection, some new ones, and sometimes an id. */
export function makeBody(random: Random, context: Context, name: string): JsonRecord {
  const records = recordsOf(context, name)
  const body: JsonRecord = {}
  const sample: JsonRecord = records.length > 0 ? random.pick(records) : {}
  for (const [key, value] of Object.entries(sample)) {
    if (key !== 'id' && random.chance(0.6)) body[key] = value
  }
  if (random.chance(0.5)) body['title'] = random.pick(words)
  if (random.chance(0.2)) body['views'] = random.int(-5, 200)
  if (random.chance(0.1)) body['author'] = { name: random.pick(words), age: random.int(1, 90) }
  if (random.chance(0.1)) body['tags'] = random.pick([[], ['a'], ['a', 'b', 1]])
  if (random.chance(0.05)) body['flag'] = null
  return body
}

/** Encodes one part of a query as one of the ways a client does. */
export function encode(random: Random, text: string): string {
  // A text that was cut may end in half a character, which no URL can hold.
  const encoded = encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, ''))
  return random.weighted([
    [12, encoded],
    [1, encoded.replaceAll('%20', '+')],
    [1, encoded.replaceAll('%5B', '[').replaceAll('%5D', ']').replaceAll('%2C', ',')],
    [1, encoded.replaceAll('%3A', ':').replaceAll('%2F', '/').replaceAll('%40', '@')],
  ])
}

const scraps: readonly string[] = listed(
  '=¦=¦=¦&¦&¦&¦[¦]¦[]¦[0]¦[1]¦[a]¦.¦,¦:¦_¦%¦%25¦%5B¦%5D¦%2C¦+¦%20¦-¦\\¦"¦id¦title¦views¦tags¦author¦name¦',
  'q¦_sort¦_order¦_page¦_limit¦_start¦_end¦_embed¦_expand¦_per_page¦_where¦_gte¦_lte¦_ne¦_like¦:gt¦:in¦',
  '_gt¦asc¦desc¦1¦2¦0¦10¦a¦null¦true¦{¦}¦or¦eq¦(¦)¦.*¦^¦$¦|¦*¦?',
)

/** A query of scraps that mean something, in no order that does. */
export function toSoup(random: Random): string {
  const count = random.int(1, 14)
  const soup = Array.from({ length: count }, () => random.pick(scraps)).join('')
  return `?${soup.replaceAll(/[{}"\\^|]/g, encodeURIComponent)}`
}

/** Joins parameters to a query, in any order. */
export function toSearch(random: Random, parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return random.chance(0.05) ? '?' : ''
  const parts = random
    .shuffle(parameters)
    .map(([name, value]) => `${encode(random, name)}=${encode(random, value)}`)
  if (random.chance(0.02))
    parts.push(random.pick(['', '=', '=x', 'flag', '%zz=1', 'q=%E0%A4%A', '&']))
  return `?${parts.join('&')}`
}
