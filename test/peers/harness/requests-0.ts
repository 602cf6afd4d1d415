import { listed } from './listed.ts'
import type { Json } from '../../../src/core/json/json.ts'
import { words } from './database.ts'
import type { PeerRequest } from './exchange.ts'
import type { Random } from './random.ts'
import {
  collections,
  type Context,
  count,
  equal,
  idSegment,
  makeBody,
  nameOf,
  oddValues,
  type Parameter,
  recordsOf,
  singletonsOf,
  toSearch,
  toSoup,
} from './values.ts'

type Maker = (random: Random, context: Context, name: string) => Parameter[]

const jsonType = { 'content-type': 'application/json' }

/** Makes the next request in the manner of clients of json-server 0.17. */
export function makeRequest0(random: Random, context: Context): PeerRequest {
  const make = random.weighted([
    [46, list],
    [10, member],
    [8, nested],
    [3, single],
    [3, odd],
    [10, create],
    [3, createNested],
    [8, update],
    [5, remove],
    [3, writeSingle],
    [2, wrongMethod],
  ] as const)
  return make(random, context)
}

/** The name as it goes into a path: mostly as it is. */
function segment(random: Random, name: string): string {
  const encoded = encodeURIComponent(name)
  return random.weighted([
    [40, encoded],
    [1, encoded.toUpperCase()],
    [1, encoded.charAt(0).toUpperCase() + encoded.slice(1)],
    [1, `%${encoded.charCodeAt(0).toString(16)}${encoded.slice(1)}`],
  ])
}

function list(random: Random, context: Context): PeerRequest {
  const name = nameOf(random, context)
  if (random.chance(0.06)) return read(random, `/${encodeURIComponent(name)}${toSoup(random)}`)
  const slash = random.chance(0.03) ? '/' : ''
  const search = toSearch(random, parameters(random, context, name))
  return read(random, `/${segment(random, name)}${slash}${search}`)
}

function read(random: Random, path: string): PeerRequest {
  return { method: random.chance(0.04) ? 'HEAD' : 'GET', path }
}

function parameters(random: Random, context: Context, name: string): Parameter[] {
  const count = random.weighted([
    [1, 0],
    [5, 1],
    [5, 2],
    [3, 3],
    [1, 5],
  ] as const)
  return Array.from({ length: count }, () => random.weighted(makers)(random, context, name)).flat()
}

const makers: readonly (readonly [number, Maker])[] = [
  [10, (random, context, name) => [equal(random, context, name)]],
  [3, (random, context, name) => repeated(random, context, name)],
  [8, (random, context, name) => [operator(random, context, name)]],
  [2, (random, context, name) => repeatedOperator(random, context, name)],
  [1, (random, context, name) => unknownOperator(random, context, name)],
  [2, (random, context, name) => brackets(random, context, name)],
  [5, (random) => [['q', search(random)]]],
  [
    1,
    (random) => [
      ['q', search(random)],
      ['q', search(random)],
    ],
  ],
  [
    2,
    (random) => [
      [random.pick(['foo', 'nope', 'X', '_foo', 'page', 'limit']), random.pick(oddValues)],
    ],
  ],
  [8, sorting],
  [6, pages],
  [5, slices],
  [5, embeds],
  [4, expands],
  [1, (random) => [['_', String(random.int(1, 99))]]],
  [1, (random) => [['_delay', random.pick(['0', '1', 'x', ''])]]],
  [
    1,
    (random) => [
      [
        random.pick(['_page', '_limit', '_start', '_end', '_sort', '_order']),
        random.pick(oddValues),
      ],
    ],
  ],
]

function repeated(random: Random, context: Context, name: string): Parameter[] {
  const [field, first] = equal(random, context, name)
  const rest = Array.from({ length: random.int(1, 2) }, () => {
    const values = recordsOf(context, name).map((record) => record[field])
    const value = values.length > 0 ? random.pick(values) : undefined
    return [field, value === undefined ? random.pick(oddValues) : text(value)] as const
  })
  return [[field, first], ...rest]
}

function text(value: Json): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function operator(random: Random, context: Context, name: string): Parameter {
  const [field, value] = equal(random, context, name)
  const suffix = random.pick(['_gte', '_lte', '_ne', '_like'])
  return [`${field}${suffix}`, suffix === '_like' ? pattern(random, value) : value]
}

function repeatedOperator(random: Random, context: Context, name: string): Parameter[] {
  const [field, first] = operator(random, context, name)
  const [, second] = equal(random, context, name)
  return [
    [field, first],
    [field, field.endsWith('_like') ? pattern(random, second) : second],
  ]
}

/** A text that is a regular expression, harmless to run. */
function pattern(random: Random, value: string): string {
  const plain = value.replaceAll(/[.*+?^${}()|[\]\\]/g, '').slice(0, 6)
  return random.pick([
    plain,
    plain.toUpperCase(),
    value.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`),
    `^${plain}`,
    `${plain}$`,
    `^${plain}$`,
    `${plain.slice(0, 2)}.*`,
    `${plain}|foo`,
    `(${plain.slice(0, 1)}|b)+`,
    random.pick(patterns),
  ])
}

const patterns: readonly string[] = listed(
  '¦.¦^¦$¦o+¦lo?¦[a-c]¦[^a-z]¦\\d¦\\d+¦^[0-9]+$¦\\w+\\s\\w+¦\\bfoo\\b¦\\Boo¦a{2}¦o{1,2}¦',
  'l{2,}¦(?:a|e)¦(?=.*o)h¦^(?!h)¦(?<=o)o¦(?<!f)oo¦(un)?¦[A-Z]¦\\u00e4¦\\x41¦\\.¦\\/¦日¦ä¦',
  'ß¦ſ¦K¦[Ä]¦\\S¦\\D¦a.b¦a|¦|¦()¦[]¦[^]¦x*¦^$¦\\t¦\\n¦{¦}¦]¦a{¦a{,2}¦(?<name>o)¦.+?¦o*?¦',
  '^.{5}$¦2024-..-¦\\cJ¦\\0¦-¦/¦[a-¦(¦)¦*¦+¦?¦a**¦[z-a]¦a{2,1}¦(?¦\\\\¦\\¦[[:alpha:]]¦',
  '[\\w-]+¦[\\d.]+¦[^\\s]¦[\\b]¦[a\\]]¦i¦I¦İ',
)

function unknownOperator(random: Random, context: Context, name: string): Parameter[] {
  const [field, value] = equal(random, context, name)
  const suffix = random.pick([
    '_gt',
    '_lt',
    '_in',
    '_contains',
    ':gt',
    ':eq',
    ':contains',
    '_GTE',
    '_',
  ])
  return [[`${field}${suffix}`, value]]
}

function brackets(random: Random, context: Context, name: string): Parameter[] {
  const [field, value] = equal(random, context, name)
  const [, other] = equal(random, context, name)
  return random.pick<Parameter[]>([
    [[`${field}[]`, value]],
    [
      [`${field}[]`, value],
      [`${field}[]`, other],
    ],
    [
      [`${field}[0]`, value],
      [`${field}[1]`, other],
    ],
    [
      [`${field}[1]`, value],
      [field, other],
    ],
    [[`${field}[name]`, value]],
    [[`${field}[a][b]`, value]],
    [
      [`${field}_ne[]`, value],
      [`${field}_ne[]`, other],
    ],
    [[`${field}_gte[0]`, value]],
    [[`[${field}]`, value]],
    [[`${field}[`, value]],
    [[`${field}]`, value]],
    [[`${field}[2000]`, value]],
  ])
}

function search(random: Random): string {
  const word = random.pick(words)
  return random.pick([
    word,
    word.toLowerCase(),
    word.toUpperCase(),
    word.slice(0, 2),
    word.slice(1, 3),
    String(random.int(0, 20)),
    random.pick([
      'true',
      'false',
      'null',
      'a',
      'e',
      '1',
      '0',
      '',
      '.',
      '-',
      's1',
      'paris',
      'å',
      'object',
    ]),
  ])
}

function sorting(random: Random, context: Context, name: string): Parameter[] {
  const fields = Array.from({ length: random.int(1, 3) }, () => equal(random, context, name)[0])
  const orders = fields.map(() => random.pick(['asc', 'desc', 'DESC', 'ASC', 'Desc', '', 'up']))
  const sort: Parameter = ['_sort', fields.join(random.chance(0.05) ? ', ' : ',')]
  return random.weighted<Parameter[]>([
    [8, [sort, ['_order', orders.join(',')]]],
    [3, [sort]],
    [1, [['_sort', `-${fields[0] ?? ''}`]]],
    [1, [sort, ['_order', orders.slice(1).join(',')]]],
    [1, [['_order', 'desc']]],
    [0.5, [sort, ['_sort', 'id']]],
    [0.5, [['_sort[]', fields[0] ?? 'id']]],
    [0.5, [sort, ['_order', 'asc'], ['_order', 'desc']]],
    [0.5, [['_sort', random.pick(oddValues)]]],
  ])
}

function pages(random: Random): Parameter[] {
  const page: Parameter = ['_page', count(random)]
  return random.weighted<Parameter[]>([
    [6, [page, ['_limit', count(random)]]],
    [3, [page]],
    [1, [page, ['_per_page', count(random)]]],
    [1, [page, ['_limit', count(random)], ['_start', count(random)], ['_end', count(random)]]],
    [0.5, [page, ['_page', count(random)]]],
    [0.5, [page, ['_limit', count(random)], ['foo_page', count(random)]]],
    [0.5, [page, ['_limit', count(random)], ['_limit', count(random)]]],
  ])
}

function slices(random: Random): Parameter[] {
  const start: Parameter = ['_start', count(random)]
  const end: Parameter = ['_end', count(random)]
  const limit: Parameter = ['_limit', count(random)]
  return random.pick<Parameter[]>([
    [start, end],
    [start, limit],
    [limit],
    [end],
    [start],
    [start, end, limit],
    [start, end, end],
  ])
}

function relation(random: Random, context: Context): string {
  const names = collections(context)
  const name = random.pick(names)
  return random.weighted([
    [10, name],
    [2, name.replace(/s$/, '')],
    [
      1,
      random.pick(['nope', 'comment', 'person', 'people', '', 'profile', 'child', 'id', 'title']),
    ],
    [1, `${name},${random.pick(names)}`],
    [1, name.toUpperCase()],
    [1, `${name}.${random.pick(names)}`],
  ])
}

function embeds(random: Random, context: Context): Parameter[] {
  const size = random.chance(0.2) ? 2 : 1
  return Array.from({ length: size }, () => ['_embed', relation(random, context)] as const)
}

function expands(random: Random, context: Context, name: string): Parameter[] {
  const keys = recordsOf(context, name).flatMap((record) => Object.keys(record))
  const stems = keys.filter((key) => key.endsWith('Id')).map((key) => key.slice(0, -2))
  const size = random.chance(0.2) ? 2 : 1
  return Array.from({ length: size }, () => {
    const stem =
      stems.length > 0 && random.chance(0.85) ? random.pick(stems) : relation(random, context)
    return [random.chance(0.9) ? '_expand' : '_expand[]', stem] as const
  })
}

function member(random: Random, context: Context): PeerRequest {
  const name = nameOf(random, context)
  const extra = random.weighted<Parameter[]>([
    [4, []],
    [2, embeds(random, context)],
    [2, expands(random, context, name)],
    [1, parameters(random, context, name)],
  ])
  const slash = random.chance(0.03) ? '/' : ''
  const id = idSegment(random, context, name)
  return read(random, `/${segment(random, name)}/${id}${slash}${toSearch(random, extra)}`)
}

function nested(random: Random, context: Context): PeerRequest {
  const parent = random.chance(0.95) ? nameOf(random, context) : 'nope'
  const names = [...collections(context), ...singletonsOf(context)]
  const child = random.chance(0.95) ? random.pick(names) : 'nope'
  const extra = random.chance(0.5) ? parameters(random, context, child) : []
  const id = idSegment(random, context, parent)
  const slash = random.chance(0.03) ? '/' : ''
  const path = `/${segment(random, parent)}/${id}/${segment(random, child)}`
  return read(random, `${path}${slash}${toSearch(random, extra)}`)
}

function single(random: Random, context: Context): PeerRequest {
  const names = singletonsOf(context)
  if (names.length === 0) return list(random, context)
  const extra = random.chance(0.4) ? parameters(random, context, nameOf(random, context)) : []
  const tail = random.weighted([
    [8, ''],
    [1, '/'],
    [1, '/x'],
  ])
  return read(random, `/${segment(random, random.pick(names))}${tail}${toSearch(random, extra)}`)
}

function odd(random: Random, context: Context): PeerRequest {
  const name = nameOf(random, context)
  const id = idSegment(random, context, name)
  const path = random.pick([
    '/nope',
    '/nope/1',
    '/nope/1/nope',
    '/db',
    '/DB/',
    '/db?x=1',
    '/$schema',
    '/__rules',
    `//${name}`,
    `/${name}//`,
    `/${name}/${id}/x/y`,
    `/${name}/${id}/${name}/${id}`,
    `/${name}s`,
    `/${name};x`,
    `/${name}.json`,
    `/ ${name}`.replaceAll(' ', '%20'),
    `/${name}%20`,
    `/${name}/?_page=1`,
    `/${name}??_limit=1`,
    `/${name}?_limit=1?`,
    `/${name}?_limit=1#`,
    '/%E6%97%A5',
    '/toString',
    '/1',
  ])
  return read(random, path)
}

/** A body that no record is, or a type that hides one. */
function oddBody(random: Random, body: Json): Pick<PeerRequest, 'headers' | 'body'> {
  const json = JSON.stringify(body)
  const form = new URLSearchParams(
    Object.entries(body as Record<string, Json>).map(([key, value]) => [key, text(value)]),
  ).toString()
  return random.pick<Pick<PeerRequest, 'headers' | 'body'>>([
    {},
    { headers: jsonType },
    { headers: jsonType, body: '' },
    { headers: jsonType, body: '{}' },
    { headers: jsonType, body: '{bad' },
    { headers: jsonType, body: `${json},` },
    { headers: jsonType, body: 'null' },
    { headers: jsonType, body: '5' },
    { headers: jsonType, body: '"text"' },
    { headers: jsonType, body: '[]' },
    { headers: jsonType, body: `[${json}]` },
    { headers: jsonType, body: '[1,2]' },
    { headers: jsonType, body: `  ${json}\n` },
    { headers: { 'content-type': 'application/json; charset=utf-8' }, body: json },
    { headers: { 'content-type': 'Application/JSON;charset=UTF-8' }, body: json },
    { headers: { 'content-type': 'application/json; charset=latin1' }, body: json },
    { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: form },
    { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'a=1&a=2&b[c]=3&d' },
    { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: '' },
    { headers: { 'content-type': 'text/plain' }, body: json },
    { headers: { 'content-type': 'application/vnd.api+json' }, body: json },
    { headers: {}, body: json },
    { headers: jsonType, body: '{"id":"","title":"x"}' },
    { headers: jsonType, body: '{"__proto__":{"x":1},"title":"x"}' },
    { headers: jsonType, body: '{"constructor":1,"toString":"x"}' },
    { headers: jsonType, body: '{"2":"b","1":"a","title":"x"}' },
    { headers: jsonType, body: '{"title":1,"title":2}' },
  ])
}

function bodyOf(random: Random, body: Json): Pick<PeerRequest, 'headers' | 'body'> {
  return random.chance(0.85)
    ? { headers: jsonType, body: JSON.stringify(body) }
    : oddBody(random, body)
}

function create(random: Random, context: Context): PeerRequest {
  const name = nameOf(random, context)
  const body = makeBody(random, context, name)
  const known = recordsOf(context, name).map((record) => record['id'] ?? null)
  const id = random.weighted<Json | undefined>([
    [14, undefined],
    [2, random.int(200, 900)],
    [2, `c${random.int(1, 99)}`],
    [1, String(random.int(1, 99))],
    [1, known.length > 0 ? random.pick(known) : 1],
    [1, random.pick<Json>([0, null, '', false, true, 1.5, -7, 'a/b c', 'ü', [1], { x: 1 }])],
  ])
  const sent = id === undefined ? body : random.chance(0.5) ? { id, ...body } : { ...body, id }
  const tail = random.weighted([
    [20, ''],
    [1, '/'],
    [1, '?foo=1'],
    [1, '?_embed=x&_delay=1'],
  ])
  const override = random.chance(0.02)
    ? { 'x-http-method-override': random.pick(['PUT', 'patch', 'GET', 'nope']) }
    : {}
  const { headers, body: content } = bodyOf(random, sent)
  return {
    method: 'POST',
    path: `/${segment(random, name)}${tail}`,
    headers: { ...headers, ...override },
    ...(content !== undefined && { body: content }),
  }
}

function createNested(random: Random, context: Context): PeerRequest {
  const parent = nameOf(random, context)
  const child = random.chance(0.9)
    ? nameOf(random, context)
    : random.pick(['profile', 'nope', 'db'])
  const path = `/${segment(random, parent)}/${idSegment(random, context, parent)}/${segment(random, child)}`
  return { method: 'POST', path, ...bodyOf(random, makeBody(random, context, child)) }
}

function update(random: Random, context: Context): PeerRequest {
  const name = nameOf(random, context)
  const body = makeBody(random, context, name)
  const sent = random.chance(0.3) ? { id: random.pick<Json>([1, 'zz', null, 777]), ...body } : body
  const method = random.pick(['PUT', 'PATCH', 'PATCH'])
  const isOverridden = random.chance(0.04)
  const path = `/${segment(random, name)}/${idSegment(random, context, name)}`
  const { headers, body: content } = bodyOf(random, sent)
  return {
    method: isOverridden ? 'POST' : method,
    path: path + (random.chance(0.05) ? '?x=1' : ''),
    headers: { ...headers, ...(isOverridden && { 'x-http-method-override': method }) },
    ...(content !== undefined && { body: content }),
  }
}

function remove(random: Random, context: Context): PeerRequest {
  const name = nameOf(random, context)
  const path = `/${segment(random, name)}/${idSegment(random, context, name)}`
  return random.chance(0.1)
    ? { method: 'DELETE', path, headers: jsonType, body: '{}' }
    : { method: 'DELETE', path: path + (random.chance(0.05) ? '/' : '') }
}

function writeSingle(random: Random, context: Context): PeerRequest {
  const names = singletonsOf(context)
  if (names.length === 0) return create(random, context)
  const name = random.pick(names)
  const method = random.pick(['POST', 'PUT', 'PATCH', 'PATCH', 'DELETE'])
  const body = { ...makeBody(random, context, name), ...(random.chance(0.2) && { id: 5 }) }
  return { method, path: `/${segment(random, name)}`, ...bodyOf(random, body) }
}

function wrongMethod(random: Random, context: Context): PeerRequest {
  const name = nameOf(random, context)
  const id = idSegment(random, context, name)
  const path = random.pick([`/${name}`, `/${name}/${id}`, `/${name}/${id}/${name}`, '/nope', '/db'])
  const method = random.pick(['PUT', 'PATCH', 'DELETE', 'POST', 'OPTIONS', 'PROPFIND', 'QUERY'])
  if (method === 'POST' && path === `/${name}`) return create(random, context)
  return { method, path, ...(random.chance(0.5) && { headers: jsonType, body: '{"a":1}' }) }
}
